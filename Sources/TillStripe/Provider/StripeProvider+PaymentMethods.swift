import TillEngine
package import TillModel

/// Payment methods that customers keep at Stripe. Card data is entered on Stripe's pages alone.
extension StripeProvider: PaymentMethodProvider {
    /// Who made a payment that kept its payment method.
    struct Payer: Hashable, Sendable {
        var customer: String
        /// What renewals are paid with: the default that the customer chose, else what paid before, else the newest; nil if
        /// the customer keeps none.
        var method: String?
    }

    func payer(ofPayment intent: String, isUrgent: Bool) async throws(StripeFailure) -> Payer? {
        var call = StripeCall.get("/v1/payment_intents/*", intent, PaidIntent.expansion)
        call.isUrgent = isUrgent
        let paid = try await api.send(call, as: PaidIntent.self)
        guard let customer = paid.customer, !customer.isDeleted else {
            return nil
        }
        let kept = paid.method.flatMap { $0.customer == customer.id ? $0.id : nil }
        var payer = Payer(customer: customer.id, method: customer.defaultMethod ?? kept)
        if payer.method == nil {
            payer.method = try await methods(of: customer.id, limit: 1, isUrgent: isUrgent).first?.id
        }
        return payer
    }

    package func paymentMethods(ofPayment reference: String) async throws(TillError) -> [PaymentMethod] {
        try await asPayer(ofPayment: reference) { (payer) async throws(StripeFailure) in
            let limit = StripeList<StripePaymentMethod>.limit
            return try await self.methods(of: payer.customer, limit: limit, isUrgent: true).map {
                $0.method(chosen: payer.method)
            }
        }
    }

    package func removePaymentMethod(_ id: String, ofPayment reference: String) async throws(TillError) {
        let isFound = try await asPayer(ofPayment: reference) { (payer) async throws(StripeFailure) in
            do throws(StripeFailure) {
                let method = try await self.api.send(.get("/v1/payment_methods/*", id), as: StripePaymentMethod.self)
                guard method.customer == payer.customer else {
                    return false
                }
                let detach = StripeCall.post("/v1/payment_methods/*/detach", id)
                _ = try await self.api.send(detach, as: StripePaymentMethod.self)
                return true
            } catch .refused(let error) where error.status == 404 {
                return false
            }
        }
        guard isFound else {
            throw TillError(.notFound, "The account keeps no payment method \(id).")
        }
    }

    /// A page of the customer portal (https://docs.stripe.com/customer-management/portal-deep-links).
    package func paymentMethodPage(
        _ task: PaymentMethodTask,
        ofPayment reference: String
    ) async throws(TillError) -> String {
        try await asPayer(ofPayment: reference) { (payer) async throws(StripeFailure) in
            let call = self.portalCall(task, payer.customer)
            return try await self.api.send(call, as: PortalSession.self).url
        }
    }

    private func portalCall(_ task: PaymentMethodTask, _ customer: String) -> StripeCall {
        var fields = [("customer", customer), ("return_url", configuration.returnURL)]
        if task == .add {
            fields += [
                ("flow_data[type]", "payment_method_update"), ("flow_data[after_completion][type]", "redirect"),
                ("flow_data[after_completion][redirect][return_url]", configuration.returnURL),
            ]
        }
        return .post("/v1/billing_portal/sessions", "", fields)
    }

    private func methods(
        of customer: String,
        limit: Int,
        isUrgent: Bool
    ) async throws(StripeFailure) -> [StripePaymentMethod] {
        var call = StripeCall.get("/v1/customers/*/payment_methods", customer, [("limit", "\(limit)")])
        call.isUrgent = isUrgent
        return try await api.send(call, as: StripeList<StripePaymentMethod>.self).data
    }

    private func asPayer<Value: Sendable>(
        ofPayment reference: String,
        _ body: (Payer) async throws(StripeFailure) -> Value
    ) async throws(TillError) -> Value {
        do throws(StripeFailure) {
            if let payer = try await payer(ofPayment: reference, isUrgent: true) {
                return try await body(payer)
            }
        } catch .refused(let error) {
            throw TillError(.failedPrecondition, "Stripe refused the call: \(error.summary)")
        } catch {
            throw TillError(.unavailable, "Stripe did not answer: \(error.reason); try again later.")
        }
        throw TillError(.failedPrecondition, "The payment \(reference) at Stripe kept no payment method.")
    }
}

/// A PaymentIntent, read with its customer and its payment method.
private struct PaidIntent: Decodable {
    static let expansion = [("expand[]", "customer"), ("expand[]", "payment_method")]

    var customer: StripeCustomer?
    var method: StripePaymentMethod?

    private enum CodingKeys: String, CodingKey {
        case customer
        case method = "payment_method"
    }
}

/// A session of the customer portal (https://docs.stripe.com/api/customer_portal/sessions/object).
private struct PortalSession: Decodable {
    var url: String
}
