import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension QueueEvent: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension QueueEvent: @unsafe WireFields {
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
            self = try unsafe RestoreFinished.required(fields.restore_finished, "restore_finished").event
        case TILL__V1__EVENT__EVENT_RESTORE_FAILED:
            self = try unsafe RestoreFailed.required(fields.restore_failed, "restore_failed").event
        case TILL__V1__EVENT__EVENT_INITIAL_DELIVERY_STARTED:
            let started = unsafe fields.initial_delivery_started
            self = unsafe .initialDeliveryStarted(isReset: Bool(field: started?.pointee.is_reset ?? 0))
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
            unsafe fields.restore_finished = scratch.message(RestoreFinished(id: id, count: count))
        case .restoreFailed(let id, let error):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_RESTORE_FAILED
            unsafe fields.restore_failed = scratch.message(RestoreFailed(id: id, error: error))
        case .initialDeliveryStarted(let isReset):
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_INITIAL_DELIVERY_STARTED
            unsafe fields.initial_delivery_started = scratch.message(till__v1__initial_delivery_started__init) {
                (fields, _) in
                unsafe fields.is_reset = isReset.field
            }
        case .initialDeliveryEnded:
            unsafe fields.event_case = TILL__V1__EVENT__EVENT_INITIAL_DELIVERY_ENDED
            unsafe fields.initial_delivery_ended = scratch.message(till__v1__initial_delivery_ended__init) { _, _ in }
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
