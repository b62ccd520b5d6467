extension World {
    static let defaultMethod = "invoice_settings[default_payment_method]"

    mutating func createCustomer(_ call: Call) throws(StripeFailure) -> JSON {
        var fields = call.fields
        let methodID = fields.string("payment_method")
        if let id = fields.string(Self.defaultMethod), id != methodID {
            throw .missing("PaymentMethod", id, param: Self.defaultMethod, status: 400)
        }
        let method = try methodID.map { (id) throws(StripeFailure) in try usableMethod(id, nil, "payment_method") }
        var customer = make(
            .customer,
            "cus_",
            [
                "address": nil, "balance": 0, "currency": nil, "default_source": nil, "delinquent": false,
                "description": nil, "discount": nil, "email": nil, "metadata": [:], "name": nil, "phone": nil,
                "invoice_settings": [
                    "custom_fields": nil, "default_payment_method": nil, "footer": nil, "rendering_options": nil,
                ],
                "preferred_locales": [], "shipping": nil, "tax_exempt": "none", "test_clock": nil,
            ]
        )
        if let method {
            attach(method, to: customer.id)
            fields.replace(Self.defaultMethod, with: method.id)
        }
        try update(&customer, fields)
        save(customer, event: "customer.created")
        return render(customer)
    }

    mutating func updateCustomer(_ call: Call) throws(StripeFailure) -> JSON {
        var customer = try require(.customer, call.id, param: "id")
        try update(&customer, call.fields)
        save(customer, event: "customer.updated")
        return render(customer)
    }

    private func update(_ customer: inout Fields, _ fields: FormFields) throws(StripeFailure) {
        let path = Self.defaultMethod
        if let value = fields.values[path] {
            if let id = fields.string(path), find(.method, id)?.text("customer") != customer.id {
                throw .missing("PaymentMethod", id, param: path, status: 400)
            }
            var invoices = customer["invoice_settings"] ?? [:]
            invoices["default_payment_method"] = value.isEmpty ? nil : .string(value)
            customer["invoice_settings"] = invoices
        }
        for name in ["description", "email", "name", "phone"] {
            if let value = fields.values[name] {
                customer[name] = value.isEmpty ? .null : .string(value)
            }
        }
        customer.mergeMetadata(fields, "metadata")
    }

    func customerMethods(_ call: Call) throws(StripeFailure) -> JSON {
        let customer = try require(.customer, call.id, param: "customer")
        let type = call.fields.string("type")
        return try list(.method, call) { method in
            method.text("customer") == customer.id && (type == nil || type == method.text("type"))
        }
    }

    /// Attaches a method. Unlike Stripe, the stand-in also attaches cards that decline, under an id of their own, so
    /// that renewals with them can be tested.
    mutating func attachMethod(_ call: Call) throws(StripeFailure) -> JSON {
        let customer = try require(.customer, try call.fields.require("customer"), param: "customer", status: 400)
        var method = try usableMethod(call.id, customer.id, "payment_method")
        attach(method, to: customer.id)
        method = find(.method, method.id) ?? method
        return render(method)
    }

    mutating func detachMethod(_ call: Call) throws(StripeFailure) -> JSON {
        var method = try require(.method, call.id, param: "payment_method")
        guard method.has("customer") else {
            throw .invalid("The payment method you provided is not attached to a customer so detachment is impossible.")
        }
        let customerID = method.text("customer")
        method["customer"] = nil as JSON
        method["_detached"] = true
        save(method, event: "payment_method.detached")
        if var customer = find(.customer, customerID),
            customer["invoice_settings"]?["default_payment_method"].string == method.id
        {
            customer["invoice_settings"]?["default_payment_method"] = nil
            save(customer, event: "customer.updated")
        }
        return render(method)
    }
}

extension World {
    /// Returns a method that a payment of a customer may use. A test method gets an object of its own each time.
    mutating func usableMethod(
        _ id: String,
        _ customer: String?,
        _ param: String
    ) throws(StripeFailure) -> Fields {
        if TestMethod.find(id) != nil {
            return makeMethod(id)
        }
        let method = try require(.method, id, param: param, status: 400)
        guard method["_detached"] != true else {
            throw .invalid(
                "The provided PaymentMethod was detached from a Customer, and may not be used again.",
                param: param
            )
        }
        guard !method.has("customer") || method.text("customer") == customer else {
            throw .invalid("The provided PaymentMethod does not belong to the Customer you supplied.", param: param)
        }
        return method
    }

    mutating func makeMethod(_ testID: String) -> Fields {
        let test = TestMethod.find(testID) ?? .visa
        var fields: Fields = [
            "allow_redisplay": "unspecified", "customer": nil, "metadata": [:], "_test": .string(test.id),
            "billing_details": ["address": nil, "email": nil, "name": nil, "phone": nil],
        ]
        if test.isDebit {
            fields["type"] = "sepa_debit"
            fields["sepa_debit"] = ["bank_code": "37040044", "country": "DE", "last4": .string(test.last4)]
        } else {
            fields["type"] = "card"
            fields["card"] = [
                "brand": .string(test.brand), "last4": .string(test.last4), "exp_month": 12, "exp_year": 2034,
                "country": "US", "funding": "credit", "fingerprint": .string("fp\(test.last4)"), "wallet": nil,
                "three_d_secure_usage": ["supported": true],
            ]
        }
        return make(.method, "pm_1", fields)
    }

    mutating func attach(_ method: Fields, to customer: String) {
        guard method.text("customer") != customer else {
            return
        }
        var method = method
        method["customer"] = .string(customer)
        save(method, event: "payment_method.attached")
    }

    /// Returns the behaviour of a method's object.
    func test(of method: Fields) -> TestMethod {
        TestMethod.find(method.text("_test")) ?? .visa
    }
}

extension Fields {
    /// Adds metadata; an empty value removes a key, and an empty parameter removes all.
    mutating func mergeMetadata(_ fields: FormFields, _ name: String) {
        var metadata = self["metadata"]?.fields ?? [:]
        if fields.values[name]?.isEmpty == true {
            metadata = [:]
        }
        for (key, value) in fields.map(name) {
            metadata[key] = value.isEmpty ? nil : .string(value)
        }
        self["metadata"] = .object(metadata)
    }
}
