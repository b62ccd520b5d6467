extension World {
    /// Confirms an intent that has its method, and answers as the API does: 402 if the card is declined.
    mutating func confirm(_ intent: Fields, _ confirmation: Confirmation) throws(StripeFailure) -> JSON {
        let (intent, decline) = try attempt(intent, confirmation)
        if let decline {
            throw decline
        }
        return render(intent)
    }

    /// Confirms an intent, and returns it with the failure of a declined card.
    mutating func attempt(
        _ intent: Fields,
        _ confirmation: Confirmation
    ) throws(StripeFailure) -> (Fields, StripeFailure?) {
        guard let method = find(.method, intent.text("payment_method")) else {
            throw .unexpectedState(render(intent), "confirm")
                .with("message", "You cannot confirm this PaymentIntent because it's missing a payment method.")
        }
        guard intent.intentStatus.canBeConfirmed else {
            throw .unexpectedState(render(intent), "confirm")
        }
        var intent = intent
        intent["_off_session"] = .bool(confirmation.isOffSession)
        var decision = test(of: method).decide(
            isOffSession: confirmation.isOffSession,
            isSetUp: method["_set_up"] == true
        )
        if confirmation.failsOnAction, decision == .authenticate {
            decision = .decline(.authenticationRequired)
        }
        switch decision {
        case .succeed: return (succeed(intent, method), nil)
        case .authenticate: return (requireAction(intent, confirmation.returnURL), nil)
        case .process: return (startDebit(intent), nil)
        case .decline(let decline):
            let (failed, failure) = fail(intent, method, decline)
            return (failed, failure)
        }
    }

    /// Charges the intent. This is the only place where a charge succeeds.
    mutating func succeed(_ intent: Fields, _ method: Fields) -> Fields {
        var intent = intent
        guard intent.take(.charged) else {
            return intent
        }
        let charge = makeCharge(intent, method, failure: nil)
        intent["amount_received"] = intent["amount"]
        intent["latest_charge"] = .string(charge.id)
        intent["next_action"] = nil as JSON
        intent["last_payment_error"] = nil as JSON
        intent["processing"] = nil as JSON
        intent["_process_at"] = nil
        save(intent, event: "payment_intent.succeeded")
        move(.charge, intent.id, charge.id, intent.number("amount"), intent.text("currency"))
        emit("charge.succeeded", charge)
        if intent.has("setup_future_usage"), let customer = intent["customer"]?.string {
            keep(method, for: customer, isSetUp: true)
        }
        if case .dispute(let reason, let isInquiry) = test(of: method).aftermath {
            _ = openDispute(charge.id, reason: reason, isInquiry: isInquiry)
        }
        return intent
    }

    /// Attaches a method that was used to a customer, for later payments without the payer.
    mutating func keep(_ method: Fields, for customer: String, isSetUp: Bool) {
        var method = method
        method["_set_up"] = .bool(isSetUp)
        save(method)
        attach(method, to: customer)
    }

    private mutating func requireAction(_ intent: Fields, _ returnURL: String?) -> Fields {
        var intent = intent
        guard intent.take(.authenticationNeeded) else {
            return intent
        }
        intent["next_action"] = [
            "type": "redirect_to_url",
            "redirect_to_url": [
                "url": .string("\(origin.baseURL)/authenticate/\(intent.id)"), "return_url": JSON(returnURL),
            ],
        ]
        save(intent, event: "payment_intent.requires_action")
        return intent
    }

    private mutating func startDebit(_ intent: Fields) -> Fields {
        var intent = intent
        guard intent.take(.debitStarted) else {
            return intent
        }
        intent["next_action"] = nil as JSON
        intent["processing"] = ["type": "sepa_debit"]
        intent["_process_at"] = .int(now + settings.processingDuration)
        save(intent, event: "payment_intent.processing")
        return intent
    }

    /// Declines a payment: the intent waits for another method.
    mutating func fail(_ intent: Fields, _ method: Fields, _ decline: Decline) -> (Fields, StripeFailure) {
        var intent = intent
        guard intent.take(.failed) else {
            return (intent, .unexpectedState(render(intent), "decline"))
        }
        let charge = makeCharge(intent, method, failure: decline)
        var failure = StripeFailure(402, type: "card_error", code: decline.code, decline.message).stored
            .with("charge", .string(charge.id))
            .with("decline_code", .string(decline.declineCode))
            .with("payment_method", render(method))
        if let advice = decline.adviceCode {
            failure = failure.with("advice_code", .string(advice))
        }
        intent["last_payment_error"] = .object(failure.fields)
        intent["latest_charge"] = .string(charge.id)
        intent["payment_method"] = nil as JSON
        intent["next_action"] = nil as JSON
        intent["processing"] = nil as JSON
        intent["_process_at"] = nil
        save(intent, event: "payment_intent.payment_failed")
        emit("charge.failed", charge)
        return (intent, failure.with("payment_intent", render(intent)))
    }

    private mutating func makeCharge(_ intent: Fields, _ method: Fields, failure: Decline?) -> Fields {
        let isPaid = failure == nil
        let type = method.text("type")
        let details: JSON = ["type": .string(type), type: method[type] ?? [:]]
        return make(
            .charge,
            "ch_3",
            [
                "amount": intent["amount"] ?? 0, "amount_captured": isPaid ? intent["amount"] ?? 0 : 0,
                "amount_refunded": 0, "balance_transaction": isPaid ? .string(nextID("txn_3")) : nil,
                "billing_details": method["billing_details"] ?? [:], "captured": .bool(isPaid),
                "currency": intent["currency"] ?? nil, "customer": intent["customer"] ?? nil,
                "description": intent["description"] ?? nil, "disputed": false,
                "failure_code": JSON(failure?.code), "failure_message": JSON(failure?.message),
                "fraud_details": [:], "livemode": intent["livemode"] ?? false, "metadata": intent["metadata"] ?? [:],
                "outcome": Self.outcome(failure),
                "paid": .bool(isPaid), "payment_intent": .string(intent.id), "payment_method": .string(method.id),
                "payment_method_details": details, "receipt_url": nil, "refunded": false,
                "status": isPaid ? "succeeded" : "failed", "transfer_group": intent["transfer_group"] ?? nil,
            ]
        )
    }

    private static func outcome(_ failure: Decline?) -> JSON {
        guard let failure else {
            return [
                "network_status": "approved_by_network", "reason": nil, "risk_level": "normal", "risk_score": 20,
                "seller_message": "Payment complete.", "type": "authorized",
            ]
        }
        let isBlocked = failure.declineCode == "fraudulent"
        return [
            "advice_code": JSON(failure.adviceCode),
            "network_status": isBlocked ? "not_sent_to_network" : "declined_by_network",
            "reason": .string(failure.declineCode), "risk_level": isBlocked ? "highest" : "normal",
            "seller_message": .string(failure.message), "type": isBlocked ? "blocked" : "issuer_declined",
        ]
    }
}

extension World {
    /// Ends a payer's authentication of an intent; nil if the intent does not wait for one.
    mutating func authenticate(_ intentID: String, succeeds: Bool) -> Fields? {
        guard let intent = find(.intent, intentID), intent.intentStatus == .requiresAction,
            let method = find(.method, intent.text("payment_method"))
        else {
            return nil
        }
        let result: Fields
        if !succeeds {
            let decline = Decline(
                code: "payment_intent_authentication_failure",
                declineCode: "authentication_failed",
                message: "We are unable to authenticate your payment method."
            )
            result = fail(intent, method, decline).0
        } else if case .decline(let decline) = test(of: method).decisionAfterAuthentication {
            result = fail(intent, method, decline).0
        } else {
            result = succeed(intent, method)
        }
        finishSession(of: result)
        return result
    }

    /// Ends an asynchronous payment; nil if the intent is not processing.
    mutating func completeProcessing(_ intentID: String, succeeds: Bool) -> Fields? {
        guard let intent = find(.intent, intentID), intent.intentStatus == .processing,
            let method = find(.method, intent.text("payment_method"))
        else {
            return nil
        }
        let decline = Decline(
            code: "payment_method_provider_decline",
            declineCode: "insufficient_funds",
            message: "The bank returned the debit."
        )
        let result = succeeds ? succeed(intent, method) : fail(intent, method, decline).0
        finishSession(of: result)
        return result
    }

    /// Ends the asynchronous payments that are due.
    mutating func settlePayments() {
        for intent in all(.intent) where intent.intentStatus == .processing {
            if let due = intent["_process_at"]?.int, due <= now {
                _ = completeProcessing(intent.id, succeeds: settings.processingSucceeds)
            }
        }
    }
}
