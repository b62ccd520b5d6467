import FoundationEssentials
import Testing
import TillClient
import TillModel

/// What an application does with the client library. It always does the same, so that its transcripts can be compared.
enum Conversation: String, CaseIterable, CustomTestStringConvertible {
    case buying
    case restoring
    case refusals

    /// The event that the provider answers from then on.
    static let providerAnswers = "the provider answers"

    var testDescription: String { rawValue }

    /// - Parameters:
    ///   - happen: Makes an event happen.
    /// - Returns: What the client tells the application, in order.
    func speak(_ queue: PaymentQueue, happen: (String) async -> Void) async throws -> [String] {
        var results: [String] = []
        switch self {
        case .buying: try await buy(queue, happen, &results)
        case .restoring: try await restore(queue, happen, &results)
        case .refusals: await meetRefusals(queue, &results)
        }
        return results
    }

    private func buy(_ queue: PaymentQueue, _ happen: (String) async -> Void, _ results: inout [String]) async throws {
        let answer = try await queue.products(["coins", "none"])
        results += answer.products.map { "product \($0.id) \($0.price.amount) \($0.price.currency)" }
        results += answer.invalid.map { "no product \($0.key): \($0.value)" }
        var changes = queue.changes.makeAsyncIterator()
        results += try await changes.initialDelivery().map(\.summary)
        let payment = Payment(id: Self.identity(1), productID: "coins", quantity: 3, applicationUsername: "Zoë")
        results.append("added \(try await queue.add(payment).state)")
        results += try await changes.changes { _ in true }.map(\.summary)
        await happen(Self.providerAnswers)
        let bought = try await changes.changes(throughEndOf: payment.id)
        results += bought.map(\.summary)
        for transaction in bought.flatMap(\.transactions) {
            results.append(
                "transaction \(transaction.purchase?.transactionIdentifier ?? "none") of \(transaction.payment.quantity)"
            )
            try await queue.finish(transaction)
        }
        results += try await changes.changes { _ in true }.map(\.summary)
    }

    private func restore(_ queue: PaymentQueue, _ happen: (String) async -> Void, _ results: inout [String])
        async throws
    {
        var changes = queue.changes.makeAsyncIterator()
        results += try await changes.initialDelivery().map(\.summary)
        try await queue.add(Payment(id: Self.identity(1), productID: "pro"))
        results += try await changes.changes { _ in true }.map(\.summary)
        await happen(Self.providerAnswers)
        for change in try await changes.changes(throughEndOf: Self.identity(1)) {
            for transaction in change.transactions where transaction.state.isFinal {
                results.append(change.summary)
                try await queue.finish(transaction)
            }
        }
        results += try await changes.changes { _ in true }.map(\.summary)
        let restore = try await queue.beginRestore(id: Self.identity(2))
        results.append("restore of \(restore.totalCount)")
        results += try await changes.changes { if case .restoreFinished = $0 { true } else { false } }.map(\.summary)
        results.append("\(try await queue.status(ofRestore: restore.id).state)")
    }

    private func meetRefusals(_ queue: PaymentQueue, _ results: inout [String]) async {
        let attempts: [() async throws -> Void] = [
            { try await queue.finish(id: Self.identity(9)) },
            { _ = try await queue.status(ofRestore: Self.identity(9)) },
            { try await queue.add(Payment(id: Self.identity(1), productID: "coins")) },
            { try await queue.add(Payment(id: Self.identity(1), productID: "pro")) },
            { try await queue.finish(id: Self.identity(1)) },
            { try await queue.cancel(paymentID: Self.identity(1)) },
        ]
        for attempt in attempts {
            do {
                try await attempt()
                results.append("done")
            } catch {
                results.append("\(error)")
            }
        }
    }

    static func identity(_ number: UInt8) -> UUID {
        UUID(uuid: (1, 0x8f, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }
}
