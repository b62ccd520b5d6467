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

    /// The next message's bytes.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> [UInt8] {
        let bytes: [UInt8]?
        do {
            bytes = try await iterator.next(isolation: isolation)
        } catch {
            throw TillError(error)
        }
        guard let bytes else {
            throw TillError(.unavailable, "The daemon ended the stream.")
        }
        return bytes
    }
}
