import FoundationEssentials
import TillEngine
import TillModel

/// The calls that make the objects of charges.
///
/// The key of a call stands for all of its parameters, so that a repeated call always has the parameters that Stripe knows
/// the key with. A second object for a payment is harmless: nobody can pay on a page that was never shown, and an intent is
/// charged only by the name in the ledger.
extension StripeProvider {
    func sessionCall(_ request: ChargeRequest, _ amount: StripeAmount) -> StripeCall {
        let expiry = pageExpiry
        let product = configuration.product(request.productID)
        let payment = request.paymentID.text
        let ledger = configuration.ledger.text
        var fields = [
            ("mode", "payment"), ("client_reference_id", payment),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", amount.currency),
            ("line_items[0][price_data][unit_amount]", "\(amount.amount)"),
            ("line_items[0][price_data][product_data][name]", Self.name(product, request)),
            ("payment_intent_data[metadata][\(Metadata.payment)]", payment),
            ("payment_intent_data[metadata][\(Metadata.ledger)]", ledger),
            ("metadata[\(Metadata.ledger)]", ledger),
            ("expires_at", "\(expiry)"), ("success_url", configuration.returnURL),
            // The amount is what the application showed, in the currency that it showed.
            ("adaptive_pricing[enabled]", "false"), ("allow_promotion_codes", "false"),
        ]
        if product?.renews == true {
            fields += [
                ("customer_creation", "always"), ("payment_intent_data[setup_future_usage]", "off_session"),
            ]
        }
        fields += CheckoutSession.expansion
        return .post("/v1/checkout/sessions", "", fields, keyOf: payment)
    }

    func intentCall(
        _ request: ChargeRequest,
        _ amount: StripeAmount,
        _ customer: String,
        _ method: String
    ) -> StripeCall {
        let payment = request.paymentID.text
        let fields = [
            ("amount", "\(amount.amount)"), ("currency", amount.currency), ("customer", customer),
            ("payment_method", method),
            ("description", Self.name(configuration.product(request.productID), request)),
            ("metadata[\(Metadata.payment)]", payment), ("metadata[\(Metadata.ledger)]", configuration.ledger.text),
            // Nobody is there who could be sent to another page.
            ("automatic_payment_methods[enabled]", "true"), ("automatic_payment_methods[allow_redirects]", "never"),
        ]
        var call = StripeCall.post("/v1/payment_intents", "", fields, keyOf: payment)
        call.isUrgent = false
        return call
    }

    /// When the page expires, in Unix time.
    private var pageExpiry: Int {
        let step = 600.0
        let end = time.now().addingTimeInterval(configuration.payerDeadline / .seconds(1))
        return Int((end.timeIntervalSince1970 / step).rounded(.up) * step)
    }

    private static func name(_ product: Product?, _ request: ChargeRequest) -> String {
        let name = product?.name ?? request.productID
        return request.quantity == 1 ? name : "\(request.quantity) × \(name)"
    }
}
