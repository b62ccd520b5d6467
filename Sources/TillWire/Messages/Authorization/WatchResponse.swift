import CTillMessages
import ProtobufCodec
package import TillModel

/// What a watching agent is sent: an `AuthorizationEvent` of the wire, which may have none.
package struct WatchResponse: Hashable, Sendable {
    /// Nil in a heartbeat.
    package var event: AuthorizationEvent?

    package init(event: AuthorizationEvent? = nil) {
        self.event = event
    }
}

extension WatchResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension WatchResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AuthorizationEvent> {
        unsafe till__v1__authorization_event__init
    }

    init(fields: Till__V1__AuthorizationEvent) throws(DecodingFailure) {
        switch unsafe fields.event_case {
        case TILL__V1__AUTHORIZATION_EVENT__EVENT_REQUESTED:
            try unsafe self.init(event: .requested(.required(fields.requested, "requested")))
        case TILL__V1__AUTHORIZATION_EVENT__EVENT_WITHDRAWN:
            try unsafe self.init(event: AuthorizationWithdrawn.required(fields.withdrawn, "withdrawn").event)
        default:
            self.init()
        }
    }

    func fill(_ fields: inout Till__V1__AuthorizationEvent, _ scratch: borrowing Scratch) {
        switch event {
        case .requested(let request):
            unsafe fields.event_case = TILL__V1__AUTHORIZATION_EVENT__EVENT_REQUESTED
            unsafe fields.requested = scratch.message(request)
        case .withdrawn(let id, let kind):
            unsafe fields.event_case = TILL__V1__AUTHORIZATION_EVENT__EVENT_WITHDRAWN
            unsafe fields.withdrawn = scratch.message(AuthorizationWithdrawn(id: id, kind: kind))
        case nil:
            break
        }
    }
}
