/// A payment at Stripe, which is charged at most once (https://docs.stripe.com/api/payment_intents/object).
struct PaymentIntent: Hashable, Sendable, Decodable {
    var id: String
    var status: String
    var amount: Int64
    var amountReceived: Int64
    var currency: String
    /// Unix time.
    var created: Int64
    var customer: String?
    var paymentMethod: String?
    var metadata: [String: String]
    /// Why the last attempt to pay failed.
    var lastError: StripeError?

    private enum CodingKeys: String, CodingKey {
        case id, status, amount, currency, created, customer, metadata
        case amountReceived = "amount_received"
        case paymentMethod = "payment_method"
        case lastError = "last_payment_error"
    }
}
