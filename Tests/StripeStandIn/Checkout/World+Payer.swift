/// What the payer's page shows after a submission.
package enum PayerResult: Hashable, Sendable {
    /// The session is complete and paid, or the method is set up.
    case completed
    /// The session is complete; the payment succeeds or fails later.
    case processing
    /// The payer must authenticate the intent with this id.
    case authenticationRequired(String)
    /// The decline code; the page stays open.
    case declined(String)
    /// The session or the intent is in a state that does not allow it.
    case unavailable(String)

    var json: JSON {
        switch self {
        case .completed: ["result": "completed"]
        case .processing: ["result": "processing"]
        case .authenticationRequired(let id): ["result": "authentication_required", "intent": .string(id)]
        case .declined(let code): ["result": "declined", "code": .string(code)]
        case .unavailable(let reason): ["result": "unavailable", "reason": .string(reason)]
        }
    }
}

extension World {
    /// Submits the page of a session with a test method.
    mutating func submit(_ sessionID: String, _ methodID: String) -> PayerResult {
        guard let session = find(.session, sessionID), session.status == "open" else {
            return .unavailable("The session is not open.")
        }
        origin.isLive = session["livemode"] == true
        let customer = session["customer"]?.string
        do throws(StripeFailure) {
            let method = try usableMethod(methodID, customer, "payment_method")
            return session.text("mode") == "setup"
                ? setUp(session, method) : try pay(session, method)
        } catch {
            return .unavailable(error.fields.text("message"))
        }
    }

    private mutating func pay(_ session: Fields, _ method: Fields) throws(StripeFailure) -> PayerResult {
        var (session, intent) = intent(of: session)
        intent["payment_method"] = .string(method.id)
        _ = intent.take(.confirmed)
        session["payment_intent"] = .string(intent.id)
        save(intent)
        save(session)
        let (attempted, failure) = try attempt(intent, Confirmation(returnURL: session["success_url"]?.string))
        if let failure {
            return .declined(failure.fields.text("decline_code"))
        }
        finishSession(of: attempted)
        switch attempted.intentStatus {
        case .succeeded: return .completed
        case .processing: return .processing
        default: return .authenticationRequired(attempted.id)
        }
    }

    /// Returns the intent of a session, which exists from the first submission on.
    private mutating func intent(of session: Fields) -> (Fields, Fields) {
        if let intent = find(.intent, session.text("payment_intent")) {
            return (session, intent)
        }
        var session = session
        let fields = FormFields((session["_fields"]?.fields ?? [:]).compactMapValues(\.string))
        let usage = fields.string("payment_intent_data[setup_future_usage]")
        if !session.has("customer"), usage != nil || session.text("customer_creation") == "always" {
            let customer = make(
                .customer,
                "cus_",
                [
                    "description": nil, "email": session["customer_email"] ?? nil, "metadata": [:], "name": nil,
                    "invoice_settings": ["default_payment_method": nil],
                ]
            )
            emit("customer.created", customer)
            session["customer"] = .string(customer.id)
        }
        var intent = makeIntent(
            Amount(checked: session.number("amount_total"), session.text("currency")),
            customer: session["customer"]?.string
        )
        intent["_session"] = .string(session.id)
        intent.describe(fields, prefix: "payment_intent_data")
        intent.mergeMetadata(fields, "payment_intent_data[metadata]")
        save(intent, event: "payment_intent.created")
        return (session, intent)
    }

    /// Brings the session of an intent up to date with it. A session stays open after a decline.
    mutating func finishSession(of intent: Fields) {
        guard var session = find(.session, intent.text("_session")) else {
            return
        }
        let isOpen = session.status == "open"
        switch intent.intentStatus {
        case .succeeded where isOpen, .processing where isOpen:
            session["status"] = "complete"
            session["url"] = nil as JSON
            session["payment_status"] = intent.intentStatus == .succeeded ? "paid" : "unpaid"
            save(session, event: "checkout.session.completed")
        case .succeeded where session.status == "complete":
            session["payment_status"] = "paid"
            save(session, event: "checkout.session.async_payment_succeeded")
        case .requiresPaymentMethod where session.status == "complete":
            emit("checkout.session.async_payment_failed", session)
        default:
            break
        }
    }
}

extension World {
    private mutating func setUp(_ session: Fields, _ method: Fields) -> PayerResult {
        guard var setup = find(.setup, session.text("setup_intent")) else {
            return .unavailable("The session has no SetupIntent.")
        }
        setup["payment_method"] = .string(method.id)
        let test = test(of: method)
        switch test.behaviour {
        case .declines(let decline) where test.id != "pm_card_chargeCustomerFail":
            setup["status"] = "requires_payment_method"
            setup["last_setup_error"] = [
                "type": "card_error", "code": .string(decline.code), "decline_code": .string(decline.declineCode),
                "message": .string(decline.message),
            ]
            save(setup, event: "setup_intent.setup_failed")
            return .declined(decline.declineCode)
        case .authenticates(let need) where need != .alreadySetUp:
            setup["status"] = "requires_action"
            setup["next_action"] = [
                "type": "redirect_to_url",
                "redirect_to_url": [
                    "url": .string("\(origin.baseURL)/authenticate/\(setup.id)"),
                    "return_url": session["success_url"] ?? nil,
                ],
            ]
            save(setup, event: "setup_intent.requires_action")
            return .authenticationRequired(setup.id)
        default:
            completeSetup(setup, method)
            return .completed
        }
    }

    private mutating func completeSetup(_ setup: Fields, _ method: Fields) {
        var setup = setup
        setup["status"] = "succeeded"
        setup["next_action"] = nil as JSON
        setup["last_setup_error"] = nil as JSON
        save(setup, event: "setup_intent.succeeded")
        if let customer = setup["customer"]?.string {
            keep(method, for: customer, isSetUp: true)
        }
        if var session = find(.session, setup.text("_session")) {
            session["status"] = "complete"
            session["url"] = nil as JSON
            save(session, event: "checkout.session.completed")
        }
    }

    /// Ends the payer's authentication of a PaymentIntent or a SetupIntent.
    mutating func finishAuthentication(_ id: String, succeeds: Bool) -> PayerResult {
        origin.isLive = objects[id]?["livemode"] == true
        if let intent = authenticate(id, succeeds: succeeds) {
            return intent.intentStatus == .succeeded
                ? .completed : .declined(intent["last_payment_error"]?["decline_code"].string ?? "")
        }
        guard var setup = find(.setup, id), setup.status == "requires_action",
            let method = find(.method, setup.text("payment_method"))
        else {
            return .unavailable("The intent does not wait for authentication.")
        }
        guard succeeds else {
            setup["status"] = "requires_payment_method"
            setup["next_action"] = nil as JSON
            setup["last_setup_error"] = [
                "type": "invalid_request_error", "code": "setup_intent_authentication_failure",
            ]
            save(setup, event: "setup_intent.setup_failed")
            return .declined("setup_intent_authentication_failure")
        }
        completeSetup(setup, method)
        return .completed
    }
}
