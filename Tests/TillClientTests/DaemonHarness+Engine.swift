import FoundationEssentials
import TillEngine
import TillModel
import TillTesting

extension DaemonHarness {
    /// Waits, beside every client, until the transaction is purchased, failed or restored.
    func final(_ id: UUID) async throws -> Transaction {
        while true {
            let (page, _) = try await engine.transactions(
                in: name,
                token: 0,
                includeFinished: true,
                limit: PaymentEngine.pageDefault
            )
            if let transaction = page.first(where: { $0.id == id && $0.state.isFinal }) {
                return transaction
            }
            try await Task.yieldUnlessCancelled()
        }
    }

    /// Buys beside every client.
    func buy(_ product: String) async throws -> Transaction {
        let payment = Payment(productID: product)
        _ = try await engine.addPayment(payment, to: name)
        return try await final(payment.id)
    }

    /// Buys and finishes beside every client.
    func own(_ product: String) async throws {
        try await finish(try await buy(product))
    }

    /// Finishes beside every client.
    func finish(_ transaction: Transaction) async throws {
        _ = try await engine.finishTransaction(transaction.id, in: name)
    }
}
