import TTRPC
import TillModel
import TillWire

/// One stream of changes on one connection. Letting go of it ends it at the daemon too.
final class ObservedStream {
    static let acknowledgeTimeout = Duration.seconds(10)

    let session: Session
    private let observer: UInt32
    private let callID: String
    private var iterator: ServerStreamMessages.Iterator

    init(session: Session, observer: UInt32, callID: String, messages: ServerStreamMessages) {
        self.session = session
        self.observer = observer
        self.callID = callID
        iterator = messages.makeAsyncIterator()
    }

    deinit {
        session.leave(callID: callID)
    }

    /// The next batch; heartbeats are none.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> EventBatch {
        while true {
            let batch = try await nextMessage(isolation: isolation)
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

    private func nextMessage(isolation: isolated (any Actor)?) async throws(TillError) -> EventBatch {
        let bytes: [UInt8]?
        do {
            bytes = try await iterator.next(isolation: isolation)
        } catch {
            throw TillError(error)
        }
        guard let bytes else {
            throw TillError(.unavailable, "The daemon ended the stream.")
        }
        return try EventBatch(wire: bytes)
    }
}
