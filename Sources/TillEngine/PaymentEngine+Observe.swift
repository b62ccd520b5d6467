package import TillModel

extension PaymentEngine {
    /// An observer of the queue, which delivers once its `run` is called.
    ///
    /// - Parameters:
    ///   - after: The last revision that the observer has handled; nil to begin with everything unfinished.
    ///   - resumesInitialDelivery: Whether `after` lies in an initial delivery, whose end mark is still to come.
    ///   - window: Batches that may be unacknowledged; nil for the default.
    ///   - batchSize: Events in a batch; nil for the default.
    package func observe(
        _ name: QueueName,
        after: UInt64?,
        resumesInitialDelivery: Bool = false,
        window: Int?,
        batchSize: Int?
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
            engine: self,
            name: name,
            after: after,
            resumesInitialDelivery: resumesInitialDelivery,
            window: window,
            batchSize: batchSize
        )
    }

    /// The queue, made if nobody has used it before.
    func openQueue(_ name: QueueName) async throws(TillError) -> QueueRecord {
        if let queue = try await read({ try $0.queue(name) }) {
            return queue
        }
        return try await commit { context in .success(try context.queue(name)) }
    }

    /// Reads what the cursor asks for, and moves it. Empty when there is nothing new.
    func nextBatch(_ cursor: inout ObserverCursor, queue: Int64, limit: Int) async throws(TillError) -> EventBatch {
        while true {
            let query = cursor.query
            let (entries, newest) = try await read { ledger in
                let entries = try Self.entries(query, queue: queue, limit: limit, ledger)
                return (entries, try ledger.queue(key: queue)?.revision ?? 0)
            }
            let batch = cursor.advance(by: entries, isLast: entries.count < limit, newest: newest)
            if !batch.events.isEmpty || cursor.phase != .catchingUp {
                return batch
            }
        }
    }

    private static func entries(
        _ query: ObserverCursor.Query,
        queue: Int64,
        limit: Int,
        _ ledger: any LedgerReader
    ) throws -> [(revision: UInt64, event: QueueEvent)] {
        switch query {
        case .none:
            return []
        case .unfinished(let revisions):
            let records = try ledger.unfinishedTransactions(in: queue, revisions: revisions, limit: limit)
            return records.map { ($0.revision, .updated($0.transaction)) }
        case .changes(let revision):
            let records = try ledger.transactions(in: queue, changedAfter: revision, limit: limit)
            let events = try ledger.events(in: queue, after: revision, limit: limit)
            let entries = records.map { ($0.revision, $0.event) } + events.map { ($0.revision, $0.event) }
            return entries.sorted { $0.0 < $1.0 }.prefix(limit).map { (revision: $0.0, event: $0.1) }
        }
    }
}
