import TillModel
import TillWire

/// One stream of a queue's changes.
struct ObservedStream {
    /// Batches that the daemon sends before one is acknowledged.
    static let window = 4
    static let acknowledgeTimeout = Duration.seconds(10)

    let messages: MessageStream
    let observer: UInt32

    var session: Session {
        messages.session
    }

    /// The next batch; heartbeats are none.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> EventBatch {
        while true {
            let batch = try EventBatch(wire: try await messages.next(isolation: isolation))
            if !batch.events.isEmpty {
                return batch
            }
        }
    }

    func acknowledge(_ revision: UInt64) async throws(TillError) {
        let _: AcknowledgeResponse = try await session.call(
            PaymentQueueMethod.service,
            PaymentQueueMethod.acknowledge.rawValue,
            AcknowledgeRequest(observerID: observer, revision: revision),
            timeout: Self.acknowledgeTimeout
        )
    }
}
