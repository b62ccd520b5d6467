/// Money that goes back to the payer (https://docs.stripe.com/api/refunds/object).
struct StripeRefund: Hashable, Sendable, Decodable {
    var id: String
    /// `pending`, `requires_action`, `succeeded`, `failed` or `canceled`.
    var status: String
    var amount: Int64
    var metadata: [String: String]?
    var failureReason: String?

    private enum CodingKeys: String, CodingKey {
        case id, status, amount, metadata
        case failureReason = "failure_reason"
    }
}
