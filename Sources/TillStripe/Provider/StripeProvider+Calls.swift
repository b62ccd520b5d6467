import FoundationEssentials
import TillEngine
import TillModel

/// The calls that make the objects of charges.
///
/// The key of a call stands for all of its parameters, so that a repeated call always has the parameters that Stripe knows
/// the key with. A second object for a payment is harmless: nobody can pay on a page that was never shown, and an intent is
/// charged only by the name in the ledger.
extension StripeProvider {
    /// A payment method that was saved with an earlier payment.
    struct SavedMethod: Hashable, Sendable {
        var customer: String
        var method: String
    }

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

    func intentCall(_ request: ChargeRequest, _ amount: StripeAmount, _ saved: SavedMethod) -> StripeCall {
        let payment = request.paymentID.text
        let fields = [
            ("amount", "\(amount.amount)"), ("currency", amount.currency), ("customer", saved.customer),
            ("payment_method", saved.method),
            ("description", Self.name(configuration.product(request.productID), request)),
            ("metadata[\(Metadata.payment)]", payment), ("metadata[\(Metadata.ledger)]", configuration.ledger.text),
            // Nobody is there who could be sent to another page.
            ("automatic_payment_methods[enabled]", "true"), ("automatic_payment_methods[allow_redirects]", "never"),
        ]
        var call = StripeCall.post("/v1/payment_intents", "", fields, keyOf: payment)
        call.isUrgent = false
        return call
    }

    /// The method to renew with: the customer's default if there is one, as after a change in the portal; otherwise the one
    /// that paid before.
    func savedMethod(ofPayment intent: String) async throws(StripeFailure) -> SavedMethod? {
        var paid = StripeCall.get("/v1/payment_intents/*", intent)
        paid.isUrgent = false
        let payment = try await api.send(paid, as: PaymentIntent.self)
        guard let id = payment.customer else {
            return nil
        }
        var asked = StripeCall.get("/v1/customers/*", id)
        asked.isUrgent = false
        let customer = try await api.send(asked, as: StripeCustomer.self)
        return (customer.defaultMethod ?? payment.paymentMethod).map { SavedMethod(customer: id, method: $0) }
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
