import Testing

@testable import StripeStandIn

/// Checkout Sessions and the payer's pages.
@Suite struct CheckoutTests {
    @Test func theIntentExistsOnlyOnceThePayerSubmits() async throws {
        try await withStandIn { control, client in
            let fields = ["payment_intent_data[metadata][payment]": "p1", "client_reference_id": "p1"]
            let session = await client.session(fields)
            #expect(session.json["status"].string == "open")
            #expect(session.json["amount_total"].int == 500)
            #expect(session.json["payment_intent"].isNull)
            #expect(control.pay(session.id) == .completed)
            let complete = await client.get("/v1/checkout/sessions/\(session.id)?expand[]=payment_intent").json
            #expect(complete["status"].string == "complete")
            #expect(complete["payment_status"].string == "paid")
            #expect(complete["payment_intent"]["metadata"]["payment"].string == "p1")
            #expect(complete["payment_intent"]["status"].string == "succeeded")
            #expect(control.pay(session.id) != .completed)
            #expect(control.movements().count == 1)
        }
    }

    @Test func theIntentOfAnOpenSessionCannotBeCancelled() async throws {
        try await withStandIn { control, client in
            let session = await client.session().id
            #expect(control.pay(session, with: "pm_card_visa_chargeDeclined") == .declined("generic_decline"))
            let intent = try #require(control.object(session)?["payment_intent"].string)
            let refused = await client.post("/v1/payment_intents/\(intent)/cancel")
            #expect(refused.status == 400)
            #expect(refused.error["payment_intent"]["id"].string == intent)
            let expired = await client.post("/v1/checkout/sessions/\(session)/expire")
            #expect(expired.json["status"].string == "expired")
            #expect(await client.get("/v1/payment_intents/\(intent)").json["status"].string == "canceled")
            #expect(control.pay(session) != .completed)
            #expect(await client.post("/v1/checkout/sessions/\(session)/expire").status == 400)
            #expect(control.movements() == [])
        }
    }

    @Test func aSessionExpiresByTheClock() async throws {
        try await withStandIn { control, client in
            let session = await client.session(["expires_at": "\(control.now + 1_800)"]).id
            #expect(await client.session(["expires_at": "\(control.now + 60)"]).status == 400)
            control.advance(by: .seconds(1_799))
            #expect(await client.get("/v1/checkout/sessions/\(session)").json["status"].string == "open")
            control.advance(by: .seconds(1))
            #expect(await client.get("/v1/checkout/sessions/\(session)").json["status"].string == "expired")
        }
    }

    @Test func aDebitCompletesTheSessionUnpaid() async throws {
        try await withStandIn { control, client in
            let session = await client.session().id
            #expect(control.pay(session, with: "pm_bank_debit") == .processing)
            #expect(control.object(session)?["status"].string == "complete")
            #expect(control.object(session)?["payment_status"].string == "unpaid")
            control.advance(by: .seconds(3 * 86_400))
            #expect(control.object(session)?["payment_status"].string == "paid")
            let types = await client.get("/v1/events?types[]=checkout.session.async_payment_succeeded")
            #expect(types.ids.count == 1)
        }
    }

    @Test func aPaymentSavesItsMethodForLater() async throws {
        try await withStandIn { control, client in
            let session = await client.session(["payment_intent_data[setup_future_usage]": "off_session"]).id
            #expect(control.pay(session) == .completed)
            let customer = try #require(control.object(session)?["customer"].string)
            let method = try #require(await client.get("/v1/customers/\(customer)/payment_methods").ids.first)
            let renewal = await client.pay(method, ["customer": customer, "off_session": "true"])
            #expect(renewal.json["status"].string == "succeeded")
            #expect(control.movements().count == 2)
        }
    }

    @Test func aMethodIsSetUp() async throws {
        try await withStandIn { control, client in
            let customer = await client.post("/v1/customers").id
            let fields = ["mode": "setup", "customer": customer].merging(Self.withoutItems) { first, _ in first }
            let session = await client.session(fields)
            let setup = try #require(session.json["setup_intent"].string)
            let card = "pm_card_authenticationRequiredOnSetup"
            #expect(control.pay(session.id, with: card) == .authenticationRequired(setup))
            #expect(control.authenticate(setup) == .completed)
            let path = "/v1/checkout/sessions/\(session.id)?expand[]=setup_intent"
            let method = await client.get(path).json["setup_intent"]["payment_method"].string ?? ""
            #expect(await client.get("/v1/customers/\(customer)/payment_methods").ids == [method])
            let paid = await client.pay(method, ["customer": customer, "off_session": "true"])
            #expect(paid.json["status"].string == "succeeded")
        }
    }

    private static let withoutItems = [
        "line_items[0][price_data][currency]": "", "line_items[0][price_data][unit_amount]": "",
        "line_items[0][price_data][product_data][name]": "", "line_items[0][quantity]": "",
    ]
}

/// The pages, as a browser uses them.
@Suite struct PageTests {
    @Test func thePayerPaysOnThePage() async throws {
        try await withStandIn { control, client in
            let session = await client.session()
            let path = "/pay/\(session.id)"
            #expect(session.json["url"].string == "http://127.0.0.1:\(client.port)\(path)")
            let page = await client.get(path)
            #expect(page.header("content-type")?.hasPrefix("text/html") == true)
            for text in ["500 EUR", "Coins &amp; &lt;gems&gt;", "id=\"pay\"", "id=\"cancel\"", "id=\"card-number\""] {
                #expect(page.body.contains(text))
            }
            let left = await client.post(path, ["action": "cancel"])
            #expect(left.header("location") == "http://127.0.0.1/cancelled")
            let declined = await client.post(path, Self.card("4000000000000002"))
            #expect(declined.body.contains("id=\"error\""))
            let paid = await client.post(path, Self.card("4242 4242 4242 4242"))
            #expect(paid.status == 303)
            #expect(paid.header("location") == "http://127.0.0.1/done?session=\(session.id)")
            #expect(await client.get(path).body.contains("complete"))
            #expect(control.movements().count == 1)
        }
    }

    /// What is not a valid card stays on the page, and nothing is charged.
    @Test(arguments: [
        (card("4242424242424241"), TypedCard.Problem.number),
        (card("pm_card_visa"), .number),
        (card(""), .number),
        (card("4242424242424242", expiry: "13/34"), .expiry),
        (card("4242424242424242", expiry: "12/23"), .expiry),
        (card("4242424242424242", expiry: "2034"), .expiry),
        (card("4242424242424242", code: "12"), .code),
        (card("4242424242424242", code: "12x"), .code),
    ])
    func thePageRefuses(_ fields: [String: String], problem: TypedCard.Problem) async throws {
        try await withStandIn { control, client in
            let page = await client.post("/pay/\(await client.session().id)", fields)
            #expect(page.body.contains(problem.rawValue))
            #expect(control.movements().isEmpty)
        }
    }

    @Test func thePayerAuthenticatesOnThePage() async throws {
        try await withStandIn { control, client in
            let session = await client.session()
            let card = Self.card("4000000000003220")
            let sent = await client.post("/pay/\(session.id)", card)
            let bank = try #require(sent.header("location"))
            #expect(bank.hasPrefix("/authenticate/pi_"))
            #expect(await client.get(bank).body.contains("id=\"authenticate\""))
            let failed = await client.post(bank, ["action": "fail"])
            #expect(failed.header("location") == "/pay/\(session.id)")
            _ = await client.post("/pay/\(session.id)", card)
            let done = await client.post(bank, ["action": "complete"])
            #expect(done.header("location") == "http://127.0.0.1/done?session=\(session.id)")
            #expect(control.object(session.id)?["payment_status"].string == "paid")
        }
    }

    @Test func theReturnAddressOfAnIntentIsOpened() async throws {
        try await withStandIn { _, client in
            let intent = await client.pay("pm_card_threeDSecure2Required", ["return_url": "http://127.0.0.1/a?b=c"])
            let page = try #require(intent.json["next_action"]["redirect_to_url"]["url"].string)
            #expect(page == "http://127.0.0.1:\(client.port)/authenticate/\(intent.id)")
            let done = await client.post("/authenticate/\(intent.id)", ["action": "complete"])
            #expect(done.header("location") == "http://127.0.0.1/a?b=c&payment_intent=\(intent.id)")
        }
    }

    @Test func thePortalChangesMethods() async throws {
        try await withStandIn { _, client in
            let customer = await client.post("/v1/customers").id
            let fields = ["customer": customer, "return_url": "http://127.0.0.1/back"]
            let portal = await client.post("/v1/billing_portal/sessions", fields)
            let path = "/portal/\(portal.id)"
            #expect(portal.json["url"].string?.hasSuffix(path) == true)
            _ = await client.post(path, Self.card("4242424242424242", action: "add"))
            let methods = "/v1/customers/\(customer)/payment_methods"
            let method = try #require(await client.get(methods).ids.first)
            _ = await client.post(path, ["action": "default", "payment_method": method])
            let shown = await client.get("/v1/customers/\(customer)").json["invoice_settings"]
            #expect(shown["default_payment_method"].string == method)
            #expect(await client.get(path).body.contains("remove-\(method)"))
            _ = await client.post(path, ["action": "remove", "payment_method": method])
            #expect(await client.get(methods).ids == [])
        }
    }

    private static func card(
        _ number: String,
        expiry: String = "12/34",
        code: String = "123",
        action: String = "pay"
    ) -> [String: String] {
        ["action": action, "number": number, "expiry": expiry, "cvc": code]
    }
}
