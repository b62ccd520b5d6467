/// What a confirmation asks for besides the method.
struct Confirmation: Sendable {
    var isOffSession = false
    var failsOnAction = false
    var returnURL: String?

    /// Checks that the payer can return from another page.
    fileprivate func checkReturn(_ mayRedirect: Bool) throws(StripeFailure) {
        guard !mayRedirect || returnURL != nil else {
            throw .invalid(
                "A return_url must be specified, because a payment method may require a redirect.",
                param: "return_url"
            )
        }
    }
}

extension World {
    mutating func createIntent(_ call: Call) throws(StripeFailure) -> JSON {
        let fields = call.fields
        let isConfirmed = try fields.bool("confirm") ?? false
        let amount = try Amount(fields.int("amount"), try fields.require("currency"), "amount")
        let customer = try fields.string("customer").map { (id) throws(StripeFailure) in
            try require(.customer, id, param: "customer", status: 400)
        }
        let confirmation = try confirmation(fields)
        guard isConfirmed || !fields.values.keys.contains("off_session") else {
            throw .invalid("off_session can only be used when confirm=true.", param: "off_session")
        }
        let mayRedirect = try fields.allowsRedirects()
        if isConfirmed {
            try confirmation.checkReturn(mayRedirect)
        }
        let method = try requestedMethod(fields, customer?.id)
        var intent = makeIntent(amount, customer: customer?.id)
        intent.describe(fields)
        intent.mergeMetadata(fields, "metadata")
        intent["_redirects"] = .bool(mayRedirect)
        if let method {
            intent["payment_method"] = .string(method.id)
            _ = intent.take(.confirmed)
        }
        save(intent, event: "payment_intent.created")
        guard isConfirmed else {
            return render(intent)
        }
        return try confirm(intent, confirmation)
    }

    mutating func confirmIntent(_ call: Call) throws(StripeFailure) -> JSON {
        var intent = try require(.intent, call.id, param: "intent")
        let confirmation = try confirmation(call.fields)
        guard intent.intentStatus.canBeConfirmed else {
            throw .unexpectedState(render(intent), "confirm")
        }
        guard !intent.has("_session") else {
            throw .invalid("You cannot confirm a PaymentIntent of a Checkout Session.").stored
        }
        try confirmation.checkReturn(intent["_redirects"] == true)
        let customer = intent["customer"]?.string
        if let method = try requestedMethod(call.fields, customer) {
            intent["payment_method"] = .string(method.id)
            _ = intent.take(.confirmed)
        }
        intent.describe(call.fields)
        save(intent)
        return try confirm(intent, confirmation)
    }

    mutating func cancelIntent(_ call: Call) throws(StripeFailure) -> JSON {
        let intent = try require(.intent, call.id, param: "intent")
        let reasons = ["duplicate", "fraudulent", "requested_by_customer", "abandoned"]
        let reason = call.fields.string("cancellation_reason")
        guard reason.map(reasons.contains) ?? true else {
            throw .invalid("Invalid cancellation_reason: must be one of \(reasons).", param: "cancellation_reason")
        }
        guard intent.intentStatus.canBeCanceled else {
            throw .unexpectedState(render(intent), "cancel")
        }
        guard find(.session, intent.text("_session"))?.status != "open" else {
            throw .unexpectedState(render(intent), "cancel")
                .with("message", "You cannot cancel this PaymentIntent: expire its Checkout Session instead.")
        }
        return render(cancel(intent, reason))
    }

    mutating func cancel(_ intent: Fields, _ reason: String?) -> Fields {
        var intent = intent
        guard intent.take(.canceled) else {
            return intent
        }
        intent["canceled_at"] = .int(now)
        intent["cancellation_reason"] = JSON(reason)
        intent["next_action"] = nil as JSON
        save(intent, event: "payment_intent.canceled")
        return intent
    }

    func listIntents(_ call: Call) throws(StripeFailure) -> JSON {
        let customer = call.fields.string("customer")
        return try list(.intent, call) { customer == nil || $0.text("customer") == customer }
    }

    private func confirmation(_ fields: FormFields) throws(StripeFailure) -> Confirmation {
        let offSession = fields.string("off_session")
        return Confirmation(
            isOffSession: ["one_off", "recurring"].contains(offSession)
                ? true : try fields.bool("off_session") ?? false,
            failsOnAction: try fields.bool("error_on_requires_action") ?? false,
            returnURL: fields.string("return_url")
        )
    }

    private mutating func requestedMethod(
        _ fields: FormFields,
        _ customer: String?
    ) throws(StripeFailure) -> Fields? {
        guard let id = fields.string("payment_method") else {
            return nil
        }
        return try usableMethod(id, customer, "payment_method")
    }

    mutating func makeIntent(_ amount: Amount, customer: String?) -> Fields {
        var intent = make(
            .intent,
            "pi_3",
            [
                "amount": .int(amount.value), "amount_capturable": 0, "amount_received": 0,
                "currency": .string(amount.currency), "application": nil, "application_fee_amount": nil,
                "automatic_payment_methods": ["allow_redirects": "always", "enabled": true], "canceled_at": nil,
                "cancellation_reason": nil, "capture_method": "automatic_async", "client_secret": nil,
                "confirmation_method": "automatic", "customer": JSON(customer), "description": nil,
                "last_payment_error": nil, "latest_charge": nil, "metadata": [:], "next_action": nil,
                "on_behalf_of": nil, "payment_method": nil, "payment_method_options": [:],
                "payment_method_types": ["card", "sepa_debit"], "processing": nil, "receipt_email": nil,
                "review": nil, "setup_future_usage": nil, "shipping": nil, "statement_descriptor": nil,
                "statement_descriptor_suffix": nil, "status": "requires_payment_method", "transfer_data": nil,
                "transfer_group": nil,
            ]
        )
        intent["client_secret"] = .string("\(intent.id)_secret_\(nextID(""))")
        return intent
    }
}

extension FormFields {
    /// Whether a payment asks for payment methods that may lead the payer to another page. One that names none is taken for
    /// one of cards, although Stripe would take the methods of the Dashboard.
    fileprivate func allowsRedirects() throws(StripeFailure) -> Bool {
        let isAutomatic = try bool("automatic_payment_methods[enabled]") ?? false
        return isAutomatic && string("automatic_payment_methods[allow_redirects]") != "never"
    }
}

extension Fields {
    /// Copies the parameters that an intent shows.
    mutating func describe(_ fields: FormFields, prefix: String? = nil) {
        let names = [
            "description", "setup_future_usage", "receipt_email", "statement_descriptor",
            "statement_descriptor_suffix", "transfer_group",
        ]
        for name in names {
            if let value = fields.string(prefix.map { "\($0)[\(name)]" } ?? name) {
                self[name] = .string(value)
            }
        }
    }
}

/// An amount that Stripe would accept.
struct Amount: Hashable, Sendable {
    var value: Int
    var currency: String

    private static let unsupported: Set<String> = ["iqd", "lyd", "uyi"]
    /// The last digit of their amounts must be 0.
    private static let threeDecimals: Set<String> = ["bhd", "jod", "kwd", "omr", "tnd"]
    private static let zeroDecimals: Set<String> = [
        "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf",
    ]

    /// An amount that was checked before.
    init(checked value: Int, _ currency: String) {
        self.value = value
        self.currency = currency
    }

    init(_ value: Int?, _ currency: String, _ param: String) throws(StripeFailure) {
        guard let value else {
            throw .invalid("Missing required param: \(param).", param: param, code: "parameter_missing")
        }
        let letters = currency.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        let name = currency.lowercased()
        guard name.utf8.count == 3, letters, !Self.unsupported.contains(name) else {
            throw .invalid("Invalid currency: \(currency).", param: "currency")
        }
        guard value > 0, Self.zeroDecimals.contains(name) || value >= 50 else {
            throw .invalid("Amount must convert to at least 50 cents.", param: param, code: "amount_too_small")
        }
        guard value <= 99_999_999 else {
            throw .invalid("Amount must be no more than 999,999.99.", param: param, code: "amount_too_large")
        }
        guard !Self.threeDecimals.contains(name) || value % 10 == 0 else {
            throw .invalid("Amount must be divisible by 10 in \(name).", param: param)
        }
        guard !["isk", "ugx"].contains(name) || value % 100 == 0 else {
            throw .invalid("Amount must be divisible by 100 in \(name).", param: param)
        }
        self.value = value
        self.currency = name
    }
}
