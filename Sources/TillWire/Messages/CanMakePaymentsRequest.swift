import CTillMessages
import ProtobufCodec

/// Asks whether the account may pay.
package struct CanMakePaymentsRequest: Hashable, Sendable {
    package init() {}
}

extension CanMakePaymentsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension CanMakePaymentsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__CanMakePaymentsRequest> {
        unsafe till__v1__can_make_payments_request__init
    }

    init(fields: Till__V1__CanMakePaymentsRequest) {
        self.init()
    }

    func fill(_ fields: inout Till__V1__CanMakePaymentsRequest, _ scratch: borrowing Scratch) {}
}
