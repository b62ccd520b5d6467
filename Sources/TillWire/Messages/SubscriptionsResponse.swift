import CTillMessages
import ProtobufCodec
package import TillModel

/// A page of the account's subscriptions.
package struct SubscriptionsResponse: Hashable, Sendable {
    package var subscriptions: [SubscriptionStatus]
    /// Nil after the last page.
    package var nextPageToken: UInt64?

    package init(subscriptions: [SubscriptionStatus], nextPageToken: UInt64? = nil) {
        self.subscriptions = subscriptions
        self.nextPageToken = nextPageToken
    }
}

extension SubscriptionsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension SubscriptionsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__SubscriptionsResponse> {
        unsafe till__v1__subscriptions_response__init
    }

    init(fields: Till__V1__SubscriptionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            subscriptions: SubscriptionStatus.list(fields.subscriptions, fields.n_subscriptions, "subscriptions"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__SubscriptionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_subscriptions = subscriptions.count
        unsafe fields.subscriptions = scratch.messages(subscriptions)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}
