import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

/// Takes back a purchase or a part of it; sending the same again is harmless.
package struct RefundRequest: Hashable, Sendable {
    package var order: RefundOrder
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String

    package init(order: RefundOrder, reason: String) {
        self.order = order
        self.reason = reason
    }
}

extension RefundRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RefundRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RefundRequest> {
        unsafe till__v1__refund_request__init
    }

    init(fields: Till__V1__RefundRequest) throws(DecodingFailure) {
        try unsafe self.init(
            order: RefundOrder(
                id: UUID(fields.refund_id, "refund_id"),
                transactionID: UUID(fields.transaction_id, "transaction_id"),
                quantity: Int(fields.quantity),
                reason: Revocation.Reason(fields.revocation_reason.rawValue, "revocation_reason"),
                keepsMoney: Bool(field: fields.keeps_money)
            ),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__RefundRequest, _ scratch: borrowing Scratch) {
        unsafe fields.refund_id = scratch.bytes(order.id.bytes)
        unsafe fields.transaction_id = scratch.bytes(order.transactionID.bytes)
        unsafe fields.quantity = UInt32(clamping: order.quantity)
        unsafe fields.revocation_reason = Till__V1__RevocationReason(order.reason.enumerator)
        unsafe fields.keeps_money = order.keepsMoney.field
        unsafe fields.reason = scratch.text(reason)
    }
}
