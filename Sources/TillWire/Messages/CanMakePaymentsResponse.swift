import CTillMessages
import ProtobufCodec

/// Whether the account may pay.
package struct CanMakePaymentsResponse: Hashable, Sendable {
    package var canMakePayments: Bool

    package init(canMakePayments: Bool) {
        self.canMakePayments = canMakePayments
    }
}

extension CanMakePaymentsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension CanMakePaymentsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__CanMakePaymentsResponse> {
        unsafe till__v1__can_make_payments_response__init
    }

    init(fields: Till__V1__CanMakePaymentsResponse) {
        unsafe self.init(canMakePayments: Bool(field: fields.can_make_payments))
    }

    func fill(_ fields: inout Till__V1__CanMakePaymentsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.can_make_payments = canMakePayments.field
    }
}
