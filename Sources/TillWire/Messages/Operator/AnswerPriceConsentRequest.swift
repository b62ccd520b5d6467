import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Says for the account whether it agrees to a higher price.
package struct AnswerPriceConsentRequest: Hashable, Sendable {
    package var transactionID: UUID
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String
    package var agrees: Bool

    package init(transactionID: UUID, reason: String, agrees: Bool) {
        self.transactionID = transactionID
        self.reason = reason
        self.agrees = agrees
    }
}

extension AnswerPriceConsentRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension AnswerPriceConsentRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__AnswerPriceConsentRequest> {
        unsafe till__v1__answer_price_consent_request__init
    }

    init(fields: Till__V1__AnswerPriceConsentRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason),
            agrees: Bool(field: fields.agrees)
        )
    }

    func fill(_ fields: inout Till__V1__AnswerPriceConsentRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
        unsafe fields.agrees = agrees.field
    }
}
