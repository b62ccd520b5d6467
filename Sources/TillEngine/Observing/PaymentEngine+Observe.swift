package import TillModel

extension PaymentEngine {
    /// An observer of the queue, which delivers once its `run` is called.
    ///
    /// - Parameters:
    ///   - after: The last revision that the observer has handled; nil to begin with everything unfinished.
    ///   - resumesInitialDelivery: Whether `after` lies in an initial delivery, whose end mark is still to come.
    ///   - window: Batches that may be unacknowledged; nil for the default.
    ///   - batchSize: Events in a batch; nil for the default.
    ///   - collapsesRenewals: Whether an observer that was away gets only the newest unfinished renewal of a
    ///     subscription, with a count.
    ///   - isPassive: Whether pending events that it acknowledges stay pending for other observers.
    ///   - peer: The observer's name in the history, for example `uid:1000 pid:4711`; nil to record no deliveries.
    package func observe(
        _ name: QueueName,
        after: UInt64?,
        resumesInitialDelivery: Bool = false,
        window: Int?,
        batchSize: Int?,
        collapsesRenewals: Bool = false,
        isPassive: Bool = false,
        peer: String? = nil
    ) throws(TillError) -> Observation {
        let window = window ?? Observation.windowDefault
        let batchSize = batchSize ?? Observation.batchDefault
        guard Observation.windowRange.contains(window), Observation.batchRange.contains(batchSize) else {
            throw TillError(
                .invalidArgument,
                "The window must be 1 to \(Observation.windowRange.upperBound), the batch size 1 to \(Observation.batchRange.upperBound)."
            )
        }
        return Observation(
            feed: feed,
            name: name,
            after: after,
            resumesInitialDelivery: resumesInitialDelivery,
            window: window,
            batchSize: batchSize,
            collapsesRenewals: collapsesRenewals,
            isPassive: isPassive,
            peer: peer
        )
    }

    /// Stores deliveries to observers, until the log is stopped.
    func runDeliveries() async throws {
        try await feed.deliveries.run { page in
            try await self.commit(isOwn: true) { context in
                for delivery in page {
                    guard let key = try context.ledger.transactionKey(delivery.transactionID) else {
                        continue
                    }
                    try context.note(key, delivery)
                }
                return .success(())
            }
        }
    }
}
