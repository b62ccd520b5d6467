import CTillMessages
import ProtobufCodec
package import TillModel

/// Travels as `till.v1.Event`.
extension QueueEvent: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Event> {
        unsafe till__v1__event__init
    }

    init(fields: Till__V1__Event) throws(DecodingFailure) {
        switch unsafe fields.event_case {
        case TILL__V1__EVENT__EVENT_UPDATED:
            self = try unsafe .updated(.required(fields.updated, "updated"))
        case TILL__V1__EVENT__EVENT_REMOVED:
            self = try unsafe .removed(.required(fields.removed, "removed"))
        case TILL__V1__EVENT__EVENT_RESTORE_FINISHED:
            let finished = try unsafe RestoreFinished.required(fields.restore_finished, "restore_finished")
            self = .restoreFinished(id: finished.restoreID, count: finished.restoredCount)
        case TILL__V1__EVENT__EVENT_RESTORE_FAILED:
            let failed = try unsafe RestoreFailed.required(fields.restore_failed, "restore_failed")
            self = .restoreFailed(id: failed.restoreID, error: failed.error)
        case TILL__V1__EVENT__EVENT_INITIAL_DELIVERY_STARTED:
            let started = try unsafe InitialDeliveryStarted.required(
                fields.initial_delivery_started,
                "initial_delivery_started"
            )
            self = .initialDeliveryStarted(isReset: started.isReset)
        case TILL__V1__EVENT__EVENT_INITIAL_DELIVERY_ENDED:
            self = .initialDeliveryEnded
        case TILL__V1__EVENT__EVENT_REVOKED:
            self = try unsafe .revoked(.required(fields.revoked, "revoked"))
        case TILL__V1__EVENT__EVENT_STORE_PAYMENT_REQUESTED:
            self = try unsafe .storePaymentRequested(
                .required(fields.store_payment_requested, "store_payment_requested")
            )
        case TILL__V1__EVENT__EVENT_STOREFRONT_CHANGED:
            self = try unsafe .storefrontChanged(.required(fields.storefront_changed, "storefront_changed"))
        case TILL__V1__EVENT__EVENT_DOWNLOADS_UPDATED:
            let updated = try unsafe DownloadsUpdated.required(fields.downloads_updated, "downloads_updated")
            self = .downloadsUpdated(updated.downloads)
        default:
            throw DecodingFailure(.missing, at: "event")
        }
    }

    func fill(_ fields: inout Till__V1__Event, _ scratch: borrowing Scratch) {
        switch self {
        case .updated(let transaction):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_UPDATED
            unsafe fields.updated = scratch.message(transaction)
        case .removed(let transaction):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_REMOVED
            unsafe fields.removed = scratch.message(transaction)
        case .restoreFinished(let id, let count):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_RESTORE_FINISHED
            unsafe fields.restore_finished = scratch.message(RestoreFinished(restoreID: id, restoredCount: count))
        case .restoreFailed(let id, let error):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_RESTORE_FAILED
            unsafe fields.restore_failed = scratch.message(RestoreFailed(restoreID: id, error: error))
        case .initialDeliveryStarted(let isReset):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_INITIAL_DELIVERY_STARTED
            unsafe fields.initial_delivery_started = scratch.message(InitialDeliveryStarted(isReset: isReset))
        case .initialDeliveryEnded:
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_INITIAL_DELIVERY_ENDED
            unsafe fields.initial_delivery_ended = scratch.message(InitialDeliveryEnded())
        case .revoked(let transaction):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_REVOKED
            unsafe fields.revoked = scratch.message(transaction)
        case .storePaymentRequested(let payment):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_STORE_PAYMENT_REQUESTED
            unsafe fields.store_payment_requested = scratch.message(payment)
        case .storefrontChanged(let storefront):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_STOREFRONT_CHANGED
            unsafe fields.storefront_changed = scratch.message(storefront)
        case .downloadsUpdated(let downloads):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_DOWNLOADS_UPDATED
            unsafe fields.downloads_updated = scratch.message(DownloadsUpdated(downloads: downloads))
        }
    }
}

/// An element of the stream of `Watch`. Travels as `till.v1.AuthorizationEvent`, which may be empty.
package struct WatchResponse: Hashable, Sendable {
    /// Nil in a heartbeat.
    package var event: AuthorizationEvent?

    package init(event: AuthorizationEvent? = nil) {
        self.event = event
    }
}

extension WatchResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__AuthorizationEvent> {
        unsafe till__v1__authorization_event__init
    }

    init(fields: Till__V1__AuthorizationEvent) throws(DecodingFailure) {
        switch unsafe fields.event_case {
        case TILL__V1__AUTHORIZATION_EVENT__EVENT_REQUESTED:
            try unsafe self.init(event: .requested(.required(fields.requested, "requested")))
        case TILL__V1__AUTHORIZATION_EVENT__EVENT_WITHDRAWN:
            let withdrawn = try unsafe AuthorizationWithdrawn.required(fields.withdrawn, "withdrawn")
            self.init(event: .withdrawn(id: withdrawn.id, kind: withdrawn.kind))
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
