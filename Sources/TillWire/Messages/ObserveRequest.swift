import CTillMessages
import ProtobufCodec

/// Asks for the changes of the queue as a stream of batches.
package struct ObserveRequest: Hashable, Sendable {
    /// Chosen by the client, unique on its connection.
    package var observerID: UInt32
    /// The last revision that the observer has handled; nil for an observer that has seen nothing.
    package var after: UInt64?
    /// Batches that may be unacknowledged; 0 stands for the default.
    package var window: Int
    /// Events in a batch; 0 stands for the default.
    package var batchSize: Int
    /// Whether `after` lies in an initial delivery, whose end mark is still to come.
    package var resumesInitialDelivery: Bool
    /// Whether of a subscription's unfinished renewals the newest alone is delivered.
    package var collapsesRenewals: Bool
    /// Whether what it acknowledges is still to be delivered to those who act on it.
    package var isPassive: Bool

    package init(
        observerID: UInt32,
        after: UInt64? = nil,
        window: Int = 0,
        batchSize: Int = 0,
        resumesInitialDelivery: Bool = false,
        collapsesRenewals: Bool = false,
        isPassive: Bool = false
    ) {
        self.observerID = observerID
        self.after = after
        self.window = window
        self.batchSize = batchSize
        self.resumesInitialDelivery = resumesInitialDelivery
        self.collapsesRenewals = collapsesRenewals
        self.isPassive = isPassive
    }
}

extension ObserveRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ObserveRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ObserveRequest> {
        unsafe till__v1__observe_request__init
    }

    init(fields: Till__V1__ObserveRequest) {
        let isResumed = unsafe fields.after_presence_case == TILL__V1__OBSERVE_REQUEST__AFTER_PRESENCE_AFTER
        unsafe self.init(
            observerID: fields.observer_id,
            after: isResumed ? fields.after : nil,
            window: Int(fields.window),
            batchSize: Int(fields.batch_size),
            resumesInitialDelivery: Bool(field: fields.resumes_initial_delivery),
            collapsesRenewals: Bool(field: fields.collapses_renewals),
            isPassive: Bool(field: fields.is_passive)
        )
    }

    func fill(_ fields: inout Till__V1__ObserveRequest, _ scratch: borrowing Scratch) {
        unsafe fields.observer_id = observerID
        if let after {
            unsafe fields.after_presence_case = TILL__V1__OBSERVE_REQUEST__AFTER_PRESENCE_AFTER
            unsafe fields.after = after
        }
        unsafe fields.window = UInt32(clamping: window)
        unsafe fields.batch_size = UInt32(clamping: batchSize)
        unsafe fields.resumes_initial_delivery = resumesInitialDelivery.field
        unsafe fields.collapses_renewals = collapsesRenewals.field
        unsafe fields.is_passive = isPassive.field
    }
}
