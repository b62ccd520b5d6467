import TillModel
import TillWire

/// One stream of what an authorisation agent is told.
struct WatchedStream {
    let messages: MessageStream

    var session: Session {
        messages.session
    }

    /// The next event; heartbeats are none.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(TillError) -> AuthorizationEvent {
        while true {
            if let event = try WatchResponse(wire: try await messages.next(isolation: isolation)).event {
                return event
            }
        }
    }
}
