import FoundationEssentials
import TillEngine
import TillModel

/// Stripe's pages for purchases, as far as nobody opens them, and customers.
extension Check {
    private static let sessions = "/v1/checkout/sessions"

    static let pages = [
        Check("page", "A page is made for exactly the purchase, and waits for its payer.") { run in
            let request = run.account.request()
            let session = try await run.prepare(request, renewing: nil)
            run.expect(
                try await run.get("\(sessions)/*", session, [("expand[]", "payment_intent")]),
                200,
                [
                    "object": "checkout.session", "livemode": false, "mode": "payment", "status": "open",
                    "payment_status": "unpaid", "client_reference_id": .text(request.paymentID.text),
                    "amount_total": 499, "currency": "eur", "payment_intent": nil, "url": .prefix("http"),
                    "expires_at": .present, "metadata.till_ledger": .text(run.account.ledger.text),
                ]
            )
            let provider = run.account.provider
            run.expect("charge", await provider.charge(request, by: session), .payerAction)
            let page = try await provider.payerPage(request, by: session)
            run.expect("payerPage: an address", page.hasPrefix("http"), true)
            _ = await provider.withdraw(request, by: session)
        },
        Check("page-expired", "An expired page can never be paid.") { run in
            let request = run.account.request()
            let session = try await run.prepare(request, renewing: nil)
            let provider = run.account.provider
            for what in ["withdraw", "withdraw, again"] {
                guard case .settled(let outcome) = await provider.withdraw(request, by: session) else {
                    return run.note(what, expected: "an outcome", got: "none")
                }
                run.expect("\(what): reason", try run.declined(what, outcome).reason, .expired)
            }
            run.expect(try await run.get("\(sessions)/*", session), 200, ["status": "expired", "url": nil])
            run.expect(
                try await run.post("\(sessions)/*/expire", session),
                400,
                ["error.type": "invalid_request_error"]
            )
        },
        Check("page-subscription", "The page of a subscription saves the payment method.") { run in
            let request = run.account.request(ConformanceAccount.subscription)
            let session = try await run.prepare(request, renewing: nil)
            run.expect(
                try await run.get("\(sessions)/*", session),
                200,
                ["status": "open", "customer_creation": "always"]
            )
            _ = await run.account.provider.withdraw(request, by: session)
        },
        Check("page-parameters", "A page with an unknown parameter or another time is refused.") { run in
            let fields = [
                ("mode", "payment"), ("line_items[0][quantity]", "1"), ("line_items[0][price_data][currency]", "eur"),
                ("line_items[0][price_data][unit_amount]", "499"),
                ("line_items[0][price_data][product_data][name]", "Till conformance"),
                ("success_url", ConformanceAccount.returnURL),
            ]
            let unknown = try await run.post(sessions, "", fields + [("line_items[0][colour]", "red")])
            run.expect(unknown, 400, ["error.code": "parameter_unknown", "error.param": "line_items[0][colour]"])
            let soon = Int(run.account.time.now().timeIntervalSince1970) + 60
            let early = try await run.post(sessions, "", fields + [("expires_at", "\(soon)")])
            run.expect(early, 400, ["error.type": "invalid_request_error", "error.param": "expires_at"])
        },
    ]

    static let customers = [
        Check("customer", "A customer has payment methods, one of which is the default.") { run in
            let customer = try await run.customer()
            let method = try await run.attach("pm_card_visa", to: customer)
            run.expect(
                try await run.get("/v1/customers/*", customer),
                200,
                ["id": .text(customer), "invoice_settings.default_payment_method": nil]
            )
            try await run.setDefault(method, of: customer)
            let methods = try await run.get("/v1/customers/*/payment_methods", customer)
            run.expect(methods, 200, ["data": .count(1), "data.0.id": .text(method), "data.0.card.last4": "4242"])
        },
        Check("customer-detached", "A detached payment method cannot be used again.") { run in
            let customer = try await run.customer()
            let method = try await run.attach("pm_card_visa", to: customer)
            let foreign = try await run.post(CheckRun.intents, "", CheckRun.payment(method))
            run.expect(foreign, 400, ["error.type": "invalid_request_error"])
            run.expect(try await run.post("/v1/payment_methods/*/detach", method), 200, ["customer": nil])
            run.expect(try await run.get("/v1/customers/*/payment_methods", customer), 200, ["data": .count(0)])
            let used = try await run.post(
                CheckRun.intents,
                "",
                CheckRun.payment(method, [("customer", customer)])
            )
            run.expect(used, 400, ["error.type": "invalid_request_error"])
            run.expect(
                try await run.post("/v1/payment_methods/*/detach", method),
                400,
                ["error.type": "invalid_request_error"]
            )
        },
    ]
}
