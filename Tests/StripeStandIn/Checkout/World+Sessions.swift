extension World {
    mutating func createSession(_ call: Call) throws(StripeFailure) -> JSON {
        let fields = call.fields
        let mode = try fields.require("mode")
        guard ["payment", "setup"].contains(mode) else {
            throw .invalid("The stand-in has the modes payment and setup, not \(mode).", param: "mode")
        }
        let successURL = try fields.require("success_url")
        let customer = try fields.string("customer").map { (id) throws(StripeFailure) in
            try require(.customer, id, param: "customer", status: 400)
        }
        let expiry = try fields.int("expires_at") ?? now + 86_400
        guard (now + 1_800...now + 86_400).contains(expiry) else {
            throw .invalid("expires_at must be between 30 minutes and 24 hours from now.", param: "expires_at")
        }
        let isPayment = mode == "payment"
        let item = isPayment ? try LineItem.all(in: fields) : nil
        guard isPayment || fields.list("line_items").isEmpty else {
            throw .invalid("You can not pass `line_items` in `setup` mode.", param: "line_items")
        }
        var session = make(.session, origin.isLive ? "cs_live_" : "cs_test_", Self.session(mode, customer?.id, fields))
        session["success_url"] = .string(successURL)
        session["expires_at"] = .int(expiry)
        session["url"] = .string("\(origin.baseURL)/pay/\(session.id)")
        session.mergeMetadata(fields, "metadata")
        session["_fields"] = .object(fields.values.mapValues(JSON.string))
        if let item {
            session["amount_subtotal"] = .int(item.amount.value)
            session["amount_total"] = .int(item.amount.value)
            session["currency"] = .string(item.amount.currency)
            session["_product"] = .string(item.name)
        } else {
            session["setup_intent"] = .string(makeSetup(session, fields).id)
        }
        save(session)
        return render(session)
    }

    private static func session(_ mode: String, _ customer: String?, _ fields: FormFields) -> Fields {
        let isPayment = mode == "payment"
        return [
            "adaptive_pricing": ["enabled": .bool(fields.string("adaptive_pricing[enabled]") != "false")],
            "allow_promotion_codes": nil, "amount_subtotal": nil, "amount_total": nil,
            "automatic_tax": ["enabled": false, "status": nil], "billing_address_collection": nil,
            "cancel_url": JSON(fields.string("cancel_url")),
            "client_reference_id": JSON(fields.string("client_reference_id")), "currency": nil,
            "customer": JSON(customer),
            "customer_creation": isPayment ? JSON(fields.string("customer_creation") ?? "if_required") : nil,
            "customer_details": nil, "customer_email": JSON(fields.string("customer_email")), "metadata": [:],
            "mode": .string(mode), "payment_intent": nil, "payment_method_types": ["card"],
            "payment_status": isPayment ? "unpaid" : "no_payment_required", "setup_intent": nil,
            "status": "open", "subscription": nil, "ui_mode": "hosted",
        ]
    }

    private mutating func makeSetup(_ session: Fields, _ fields: FormFields) -> Fields {
        var setup = make(
            .setup,
            "seti_1",
            [
                "application": nil, "cancellation_reason": nil, "client_secret": nil,
                "customer": session["customer"] ?? nil, "description": nil, "last_setup_error": nil,
                "metadata": [:], "next_action": nil, "payment_method": nil, "payment_method_types": ["card"],
                "status": "requires_payment_method", "usage": "off_session", "_session": .string(session.id),
            ]
        )
        setup["client_secret"] = .string("\(setup.id)_secret_\(nextID(""))")
        setup.mergeMetadata(fields, "setup_intent_data[metadata]")
        save(setup, event: "setup_intent.created")
        return setup
    }

    func listSessions(_ call: Call) throws(StripeFailure) -> JSON {
        let filters = ["customer", "payment_intent", "status"].compactMap { name in
            call.fields.string(name).map { (name, $0) }
        }
        return try list(.session, call) { session in
            filters.allSatisfy { session.text($0.0) == $0.1 }
        }
    }

    mutating func expireSession(_ call: Call) throws(StripeFailure) -> JSON {
        let session = try require(.session, call.id, param: "session")
        guard session.status == "open" else {
            throw .invalid(
                "Only Checkout Sessions with a status in [\"open\"] can be expired. "
                    + "This Checkout Session has a status of \(session.status)."
            ).stored
        }
        return render(expire(session))
    }

    private mutating func expire(_ session: Fields) -> Fields {
        var session = session
        session["status"] = "expired"
        session["url"] = nil as JSON
        save(session, event: "checkout.session.expired")
        if let intent = find(.intent, session.text("payment_intent")) {
            _ = cancel(intent, "abandoned")
        }
        if var setup = find(.setup, session.text("setup_intent")) {
            setup["status"] = "canceled"
            setup["next_action"] = nil as JSON
            save(setup, event: "setup_intent.canceled")
        }
        return session
    }

    /// Expires the open sessions whose time is over.
    mutating func expireSessions() {
        for session in all(.session) where session.status == "open" && session.number("expires_at") <= now {
            _ = expire(session)
        }
    }
}

/// What a session sells: the sum of its line items, and the name of the first.
private struct LineItem {
    var amount: Amount
    var name: String

    static func all(in fields: FormFields) throws(StripeFailure) -> LineItem {
        var sum = 0
        var currency: String?
        var name: String?
        for index in 0... {
            let item = "line_items[\(index)]"
            guard fields.values.keys.contains(where: { $0.hasPrefix(item) }) else {
                break
            }
            guard fields.string("\(item)[price]") == nil else {
                throw .missing("price", fields.string("\(item)[price]") ?? "", param: "\(item)[price]", status: 400)
            }
            let code = try fields.require("\(item)[price_data][currency]").lowercased()
            guard currency == nil || currency == code else {
                throw .invalid("All line items must have the same currency.", param: item)
            }
            currency = code
            let title = try fields.require("\(item)[price_data][product_data][name]")
            name = name ?? title
            let price = try fields.require("\(item)[price_data][unit_amount]")
            guard let unit = Int(price), let count = try fields.int("\(item)[quantity]"), unit >= 0, count > 0 else {
                throw .invalid("Invalid unit_amount or quantity.", param: item, code: "parameter_invalid_integer")
            }
            sum += unit * count
        }
        guard let currency, let name else {
            throw .invalid("Missing required param: line_items.", param: "line_items", code: "parameter_missing")
        }
        return LineItem(amount: try Amount(sum, currency, "line_items"), name: name)
    }
}
