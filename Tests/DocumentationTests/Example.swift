import TillClient

/// The example of the README and of TillClient's landing page.
func example(grant: (Transaction) -> Void) async throws {
    let queue = PaymentQueue(application: "org.example.notes")
    try await queue.add(Payment(productID: "org.example.notes.coins10", quantity: 2))
    for try await change in queue.changes {
        guard case .updated(let transactions) = change else { continue }
        for transaction in transactions where transaction.state == .purchased {
            grant(transaction)  // Once for each transaction.id.
            try await queue.finish(transaction)
        }
    }
}
