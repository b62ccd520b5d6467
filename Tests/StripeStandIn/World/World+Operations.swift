/// An authorised request for an operation.
struct Call: Sendable {
    var operation: Operation
    var path: String
    /// The id in the path.
    var id: String
    var fields: FormFields
}

extension World {
    /// Executes an operation, and returns the object or the list that answers it.
    mutating func perform(_ call: Call) throws(StripeFailure) -> JSON {
        switch call.operation {
        case .account: account()
        case .createCustomer: try createCustomer(call)
        case .customer: render(try require(.customer, call.id, param: "id"))
        case .updateCustomer: try updateCustomer(call)
        case .customerMethods: try customerMethods(call)
        case .method: render(try require(.method, call.id, param: "payment_method"))
        case .attachMethod: try attachMethod(call)
        case .detachMethod: try detachMethod(call)
        case .createSession: try createSession(call)
        case .session: render(try require(.session, call.id, param: "session"))
        case .sessions: try listSessions(call)
        case .expireSession: try expireSession(call)
        case .setupIntent: render(try require(.setup, call.id, param: "intent"))
        case .createIntent: try createIntent(call)
        case .intent: render(try require(.intent, call.id, param: "intent"))
        case .intents: try listIntents(call)
        case .searchIntents: try searchIntents(call)
        case .confirmIntent: try confirmIntent(call)
        case .cancelIntent: try cancelIntent(call)
        case .createRefund: try createRefund(call)
        case .refund: render(try require(.refund, call.id, param: "refund"))
        case .refunds: try listOfPayment(.refund, call)
        case .charge: render(try require(.charge, call.id, param: "charge"))
        case .charges: try listOfPayment(.charge, call)
        case .dispute: render(try require(.dispute, call.id, param: "dispute"))
        case .submitEvidence: try submitEvidence(call)
        case .disputes: try listOfPayment(.dispute, call)
        case .warning: render(try require(.warning, call.id, param: "early_fraud_warning"))
        case .warnings: try listOfPayment(.warning, call)
        case .event: try event(call)
        case .events: try listEvents(call)
        case .createPortal: try createPortal(call)
        }
    }

    private func account() -> JSON {
        [
            "id": .string(origin.account ?? settings.account), "object": "account", "charges_enabled": true,
            "payouts_enabled": true,
            "details_submitted": true, "country": "DE", "default_currency": "eur", "type": "standard",
            "settings": ["dashboard": ["display_name": "Stand-in"]],
        ]
    }

    /// Lists charges, refunds or disputes of an intent, a charge or a customer.
    private func listOfPayment(_ kind: Kind, _ call: Call) throws(StripeFailure) -> JSON {
        let filters = ["payment_intent", "charge", "customer"].compactMap { name in
            call.fields.string(name).map { (name, $0) }
        }
        return try list(kind, call) { object in
            filters.allSatisfy { object.text($0.0) == $0.1 }
        }
    }
}
