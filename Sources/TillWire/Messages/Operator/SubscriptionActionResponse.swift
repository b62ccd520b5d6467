import CTillMessages
import ProtobufCodec
package import TillModel

/// A subscription after what an operator did.
package struct SubscriptionActionResponse: Hashable, Sendable {
    package var status: SubscriptionStatus

    package init(status: SubscriptionStatus) {
        self.status = status
    }
}

extension SubscriptionActionResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionActionResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionActionResponse> {
        unsafe till__v1__subscription_action_response__init
    }

    init(fields: Till__V1__SubscriptionActionResponse) throws(DecodingFailure) {
        try unsafe self.init(
            status: .required(fields.status, "status")
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionActionResponse, _ scratch: borrowing Scratch) {
        unsafe fields.status = scratch.message(status)
    }
}
