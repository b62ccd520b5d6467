import TTRPC
import TillModel
import TillWire

/// The messages of one stream on one connection. Its `deinit` ends the stream at the daemon.
final class MessageStream<Element: WireMessage> {
    let session: DaemonSession
    private let callID: String
    private var iterator: ServerStreamMessages.Iterator

    init(session: DaemonSession, callID: String, messages: ServerStreamMessages) {
        self.session = session
        self.callID = callID
        iterator = messages.makeAsyncIterator()
    }

    deinit {
        session.leave(callID: callID)
    }

    /// The next message of a stream that has no end.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> Element {
        guard let message = try await nextUnlessAtEnd(isolation: isolation) else {
            throw TillError(.unavailable, "The daemon ended the stream.")
        }
        return message
    }

    /// The next message; nil when the daemon ended the stream.
    func nextUnlessAtEnd(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> Element? {
        let bytes: [UInt8]?
        do {
            bytes = try await iterator.next(isolation: isolation)
        } catch {
            throw TillError(error)
        }
        return try bytes.map { (bytes) throws(TillError) in try Element(wire: bytes) }
    }
}

/// A stream of a queue's changes.
struct ObservedStream: ChangeStream {
    /// The number of unacknowledged batches that the daemon may send.
    static let window = 4
    static let acknowledgeTimeout = Duration.seconds(10)

    let messages: MessageStream<EventBatch>
    let observer: UInt32

    var session: DaemonSession {
        messages.session
    }

    /// The next batch, skipping heartbeats.
    func next(isolation: isolated (any Actor)?) async throws(TillError) -> EventBatch {
        while true {
            let batch = try await messages.next(isolation: isolation)
            if !batch.events.isEmpty {
                return batch
            }
        }
    }

    func acknowledge(_ revision: UInt64) async throws(TillError) {
        _ = try await session.call(
            AcknowledgeRequest(observerID: observer, revision: revision),
            timeout: Self.acknowledgeTimeout
        )
    }
}

/// A stream of the events for an authorisation agent.
struct WatchedStream {
    let messages: MessageStream<WatchResponse>

    var session: DaemonSession {
        messages.session
    }

    /// The next event, skipping heartbeats.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> AuthorizationEvent {
        while true {
            if let event = try await messages.next(isolation: isolation).event {
                return event
            }
        }
    }
}
