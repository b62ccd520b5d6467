import CTillMessages
package import FoundationEssentials
import ProtobufCodec
package import TillModel

/// Resolves an interruption, or says what became of an unknown charge.
package struct ResolveRequest: Hashable, Sendable {
    package var transactionID: UUID
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String
    /// What an operator found out of an unknown charge.
    package var review: ReviewOutcome?

    package init(transactionID: UUID, reason: String, review: ReviewOutcome? = nil) {
        self.transactionID = transactionID
        self.reason = reason
        self.review = review
    }
}

extension ResolveRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ResolveRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ResolveRequest> {
        unsafe till__v1__resolve_request__init
    }

    init(fields: Till__V1__ResolveRequest) throws(DecodingFailure) {
        try unsafe self.init(
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            reason: String(field: fields.reason),
            review: Self.review(fields)
        )
    }

    private static func review(_ fields: Till__V1__ResolveRequest) throws(DecodingFailure) -> ReviewOutcome? {
        switch unsafe fields.review {
        case TILL__V1__REVIEW__REVIEW_NONE: nil
        case TILL__V1__REVIEW__REVIEW_CHARGED: unsafe .charged(reference: .optional(fields.provider_reference))
        case TILL__V1__REVIEW__REVIEW_NOT_CHARGED: .notCharged
        default: throw DecodingFailure(.unknownEnumValue, at: "review")
        }
    }

    func fill(_ fields: inout Till__V1__ResolveRequest, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.reason = scratch.text(reason)
        switch review {
        case .charged(let reference):
            unsafe fields.review = TILL__V1__REVIEW__REVIEW_CHARGED
            unsafe fields.provider_reference = scratch.text(reference ?? "")
        case .notCharged:
            unsafe fields.review = TILL__V1__REVIEW__REVIEW_NOT_CHARGED
        case nil:
            unsafe fields.review = TILL__V1__REVIEW__REVIEW_NONE
        }
    }
}
