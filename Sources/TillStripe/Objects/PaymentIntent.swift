/// A payment at Stripe, which is charged at most once (https://docs.stripe.com/api/payment_intents/object).
struct PaymentIntent: Hashable, Sendable, Decodable {
    /// The charge of a payment, if Stripe was asked to put it into the answer.
    private enum LatestCharge: Hashable, Sendable, Decodable {
        struct Charge: Hashable, Sendable, Decodable {
            var refunded: Int64
            var isDisputed: Bool

            private enum CodingKeys: String, CodingKey {
                case refunded = "amount_refunded"
                case isDisputed = "disputed"
            }
        }

        case id(String)
        case charge(Charge)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let id = try? container.decode(String.self) {
                self = .id(id)
            } else {
                self = .charge(try container.decode(Charge.self))
            }
        }
    }

    var id: String
    var status: String
    var amount: Int64
    var amountReceived: Int64
    var currency: String
    /// Unix time.
    var created: Int64
    var metadata: [String: String]
    /// Why the last attempt to pay failed.
    var lastError: StripeError?
    private var latestCharge: LatestCharge?

    private enum CodingKeys: String, CodingKey {
        case id, status, amount, currency, created, metadata
        case amountReceived = "amount_received"
        case lastError = "last_payment_error"
        case latestCharge = "latest_charge"
    }

    /// What was given back of it, in an answer with the charge.
    var refunded: Int64 {
        if case .charge(let charge) = latestCharge { charge.refunded } else { 0 }
    }

    /// Whether there is or was a dispute about it, in an answer with the charge.
    var isDisputed: Bool {
        if case .charge(let charge) = latestCharge { charge.isDisputed } else { false }
    }
}
