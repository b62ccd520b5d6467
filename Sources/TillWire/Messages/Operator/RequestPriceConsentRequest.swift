import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Announces a higher price of a subscription to its account.
package struct RequestPriceConsentRequest: Hashable, Sendable {
    package var transactionID: UUID
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String
    /// The new price in the currency's major unit; nil for the catalogue's.
    package var amount: Decimal?

    package init(transactionID: UUID, reason: String, amount: Decimal? = nil) {
        self.transactionID = transactionID
        self.reason = reason
        self.amount = amount
    }
}

extension RequestPriceConsentRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension RequestPriceConsentRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__RequestPriceConsentRequest> {
        unsafe till__v1__request_price_consent_request__init
    }

    init(fields: Till__V1__RequestPriceConsentRequest) throws(DecodingFailure) {
        let text = unsafe String.optional(fields.amount)
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason),
            amount: text.map { (text) throws(DecodingFailure) in try Decimal(amount: text, "amount") }
        )
    }

    func fill(_ fields: inout Till__V1__RequestPriceConsentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.amount = scratch.text(amount?.description ?? "")
    }
}
