/// A page of a list, newest first (https://docs.stripe.com/api/pagination).
struct StripeList<Object: Decodable & Sendable>: Sendable, Decodable {
    var data: [Object]
    /// Whether older objects follow.
    var hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case data
        case hasMore = "has_more"
    }

    /// The largest page.
    static var limit: Int { 100 }
}
