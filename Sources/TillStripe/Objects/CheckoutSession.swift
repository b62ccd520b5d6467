/// A page on which a payer pays once (https://docs.stripe.com/api/checkout/sessions/object), read with its PaymentIntent.
struct CheckoutSession: Hashable, Sendable, Decodable {
    var id: String
    /// `open`, `complete` or `expired`.
    var status: String
    /// `paid`, `unpaid` or `no_payment_required`.
    var paymentStatus: String
    /// The payment that it is for.
    var paymentID: String?
    /// The address of the page, while the session is open. Anyone who has it can see what is bought, and pay.
    var url: String?
    /// Nil until the payer has submitted the page.
    var intent: PaymentIntent?

    private enum CodingKeys: String, CodingKey {
        case id, status, url
        case paymentStatus = "payment_status"
        case paymentID = "client_reference_id"
        case intent = "payment_intent"
    }

    /// The field that makes Stripe put the PaymentIntent into the answer.
    static let expansion = [("expand[]", "payment_intent")]
}
