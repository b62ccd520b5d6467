import Foundation
import NIOConcurrencyHelpers
import StoreKitTest
import Testing
import TillClient
import TillModel

@Suite(.timeLimit(.minutes(10))) struct ParallelSessionsTests {
    static let count = 200

    /// A session, its buying user, and the number of renewals of its subscription.
    struct Customer: Sendable {
        var session: SKTestSession
        var name: String
        var renewals: Int

        init(_ number: Int) throws {
            session = try Store.session()
            name = "user-\(number)"
            renewals = number % 3 + 1
        }
    }

    @Test func twoHundredConcurrentSessionsAreIsolated() async throws {
        let customers = try await inParallel(0..<Self.count) { try Customer($0) }
        let paths = Set(customers.map(\.session.client.socketPath))
        #expect(paths.count == Self.count)
        let restored = try await inParallel(customers) { try await live($0) }
        for (customer, restored) in zip(customers, restored) {
            #expect(restored.allSatisfy { $0.payment.applicationUsername == customer.name && $0.state == .restored })
            #expect(Set(restored.map(\.payment.productID)) == [Store.pro, Store.monthly])
            let all = customer.session.allTransactions()
            #expect(all.count == 2 + customer.renewals + restored.count)
            let first = try #require(all.first).identifier
            #expect(all.map(\.identifier) == Array(first..<first + UInt(all.count)))
        }
    }

    /// Buys, renews and restores; returns the restored transactions.
    private func live(_ customer: Customer) async throws -> [Transaction] {
        let queue = customer.session.queue
        for product in [Store.pro, Store.monthly] {
            let payment = Payment(productID: product, applicationUsername: customer.name)
            try await queue.finish(try await queue.purchase(payment))
        }
        // Two months are never longer than that, and three months never shorter than twice that.
        try customer.session.advanceClock(by: Double(customer.renewals) * 31 * Store.day)
        var renewals: [Transaction] = []
        for try await renewal in queue.transactions {
            #expect(renewal.payment.productID == Store.monthly && renewal.subscription?.isRenewal == true)
            #expect(renewal.payment.applicationUsername == customer.name)
            renewals.append(renewal)
        }
        #expect(renewals.count == customer.renewals)
        for renewal in renewals {
            try await queue.finish(renewal)
        }
        try await queue.restoreCompletedTransactions()
        var restored: [Transaction] = []
        for try await transaction in queue.transactions {
            restored.append(transaction)
        }
        await queue.close()
        return restored
    }

    private func inParallel<Value: Sendable, Result: Sendable>(
        _ values: some Collection<Value>,
        _ body: @escaping @Sendable (Value) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            for (index, value) in values.enumerated() {
                group.addTask { (index, try await body(value)) }
            }
            var results: [Int: Result] = [:]
            for try await (index, result) in group {
                results[index] = result
            }
            return values.indices.enumerated().compactMap { results[$0.offset] }
        }
    }
}
