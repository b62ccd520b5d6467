import TTRPC
import TillModel

/// The messages of one stream on one connection. Letting go of it ends it at the daemon too.
final class MessageStream {
    let session: Session
    private let callID: String
    private var iterator: ServerStreamMessages.Iterator

    init(session: Session, callID: String, messages: ServerStreamMessages) {
        self.session = session
        self.callID = callID
        iterator = messages.makeAsyncIterator()
    }

    deinit {
        session.leave(callID: callID)
    }

    /// The next message's bytes, of a stream that has no end.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> [UInt8] {
        guard let bytes = try await nextUnlessAtEnd(isolation: isolation) else {
            throw TillError(.unavailable, "The daemon ended the stream.")
        }
        return bytes
    }

    /// The next message's bytes; nil when the daemon ended the stream.
    func nextUnlessAtEnd(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> [UInt8]? {
        do {
            return try await iterator.next(isolation: isolation)
        } catch {
            throw TillError(error)
        }
    }
}
