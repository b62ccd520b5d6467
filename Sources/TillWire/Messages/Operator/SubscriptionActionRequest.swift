import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Names the subscription that a transaction belongs to.
package struct SubscriptionActionRequest: Hashable, Sendable {
    package var transactionID: UUID
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String

    package init(transactionID: UUID, reason: String) {
        self.transactionID = transactionID
        self.reason = reason
    }
}

extension SubscriptionActionRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionActionRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionActionRequest> {
        unsafe till__v1__subscription_action_request__init
    }

    init(fields: Till__V1__SubscriptionActionRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionActionRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
    }
}
