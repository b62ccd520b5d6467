import CTillMessages
import ProtobufCodec
package import TillModel

/// Offers a payment to an application.
package struct PromoteRequest: Hashable, Sendable {
    package var application: String
    package var account: String
    package var payment: Payment
    /// Why; at most ``WireProtocol/reasonMaximumBytes``.
    package var reason: String

    package init(application: String, account: String, payment: Payment, reason: String) {
        self.application = application
        self.account = account
        self.payment = payment
        self.reason = reason
    }
}

extension PromoteRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension PromoteRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__PromoteRequest> {
        unsafe till__v1__promote_request__init
    }

    init(fields: Till__V1__PromoteRequest) throws(DecodingFailure) {
        try unsafe self.init(
            application: String(field: fields.application),
            account: String(field: fields.account),
            payment: .required(fields.payment, "payment"),
            reason: String(field: fields.reason)
        )
    }

    func fill(_ fields: inout Till__V1__PromoteRequest, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(application)
        unsafe fields.account = scratch.text(account)
        unsafe fields.payment = scratch.message(payment)
        unsafe fields.reason = scratch.text(reason)
    }
}
