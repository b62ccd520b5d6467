import TillModel

extension PaymentEngine {
    /// Stores what observers were sent, until the log is stopped.
    func runDeliveries() async throws {
        try await deliveries.run { page in
            try await self.commit(isOwn: true) { context in
                for delivery in page {
                    guard let key = try context.ledger.transactionKey(delivery.transactionID) else {
                        continue
                    }
                    let detail = "revision \(delivery.revision) to \(delivery.peer)"
                    try context.note(key, kind: .delivery, detail)
                }
                return .success(())
            }
        }
    }
}
