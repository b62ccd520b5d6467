import StripeConformance
import StripeStandIn
import Testing
import TillModel

/// Behaviours 6, 8 and 13: the states of a PaymentIntent, lists, and the test methods.
@Suite struct PaymentTests {
    @Test func anIntentIsChargedOnce() async throws {
        try await withStandIn { control, client in
            let id = await client.prepare()
            let confirmed = await client.post("/v1/payment_intents/\(id)/confirm")
            #expect(confirmed.json["status"].string == "succeeded")
            #expect(confirmed.json["amount_received"].int == 500)
            for verb in ["confirm", "cancel"] {
                let refused = await client.post("/v1/payment_intents/\(id)/\(verb)")
                #expect(refused.status == 400)
                #expect(refused.code == "payment_intent_unexpected_state")
                #expect(refused.error["payment_intent"]["status"].string == "succeeded")
            }
            #expect(control.movements().map(\.kind) == [.charge])
        }
    }

    @Test func aCancelledIntentIsNeverCharged() async throws {
        try await withStandIn { control, client in
            let id = await client.prepare()
            let canceled = await client.post(
                "/v1/payment_intents/\(id)/cancel",
                ["cancellation_reason": "abandoned"]
            )
            #expect(canceled.json["status"].string == "canceled")
            #expect(canceled.json["cancellation_reason"].string == "abandoned")
            #expect(canceled.json["canceled_at"].int == control.now)
            #expect(await client.post("/v1/payment_intents/\(id)/confirm").status == 400)
            #expect(control.movements() == [])
        }
    }

    @Test func aTestChangesWhatAnIntentShows() async throws {
        try await withStandIn { control, client in
            let id = await client.pay("pm_card_visa").id
            try control.overwrite(id, "amount_received", 400)
            #expect(await client.get("/v1/payment_intents/\(id)").json["amount_received"].int == 400)
            #expect(throws: ControlError.self) { try control.overwrite("pi_none", "amount", 1) }
        }
    }

    @Test func anIntentWithoutAMethodCannotBeConfirmed() async throws {
        try await withStandIn { _, client in
            let id = await client.post("/v1/payment_intents", ["amount": "500", "currency": "eur"]).id
            let refused = await client.post("/v1/payment_intents/\(id)/confirm")
            #expect(refused.code == "payment_intent_unexpected_state")
            let answer = await client.post("/v1/payment_intents/\(id)/confirm", ["payment_method": "pm_card_visa"])
            #expect(answer.json["status"].string == "succeeded")
        }
    }

    @Test func aPaymentThatMayRedirectNeedsAnAddressToReturnTo() async throws {
        try await withStandIn { control, client in
            let path = "/v1/payment_intents"
            let redirecting = ["automatic_payment_methods[enabled]": "true"]
            let id = await client.prepare("pm_card_visa", redirecting)
            #expect(await client.post("\(path)/\(id)/confirm").error["param"].string == "return_url")
            #expect(await client.pay("pm_card_visa", redirecting).status == 400)
            #expect(await client.get(path).ids == [id])
            #expect(control.movements() == [])
            let paid = await client.post("\(path)/\(id)/confirm", ["return_url": "http://127.0.0.1/back"])
            #expect(paid.json["status"].string == "succeeded")
            let fields = redirecting.merging(["automatic_payment_methods[allow_redirects]": "never"]) { $1 }
            #expect(await client.pay("pm_card_visa", fields).status == 200)
        }
    }

    @Test(arguments: DeclinedCard.all)
    func aCardIsDeclined(card: DeclinedCard) async throws {
        try await withStandIn { control, client in
            let answer = await client.pay(card.method)
            #expect(answer.status == 402)
            #expect(answer.error["type"].string == "card_error")
            #expect(answer.code == card.code)
            let declineCode = answer.error["decline_code"].string
            #expect(declineCode == card.declineCode ?? card.code)
            let isFinal = ["do_not_try_again", "confirm_card_data"].contains(answer.error["advice_code"].string)
            #expect(isFinal == (card.retry == .never))
            let intent = answer.error["payment_intent"]
            #expect(intent["status"].string == "requires_payment_method")
            #expect(intent["last_payment_error"]["decline_code"].string == declineCode)
            let charge = await client.get("/v1/charges/\(intent["latest_charge"].string ?? "")")
            #expect(charge.json["status"].string == "failed")
            #expect(control.movements() == [])
        }
    }

    @Test(arguments: [
        ("pm_card_visa", "succeeded"), ("pm_card_mastercard", "succeeded"), ("pm_bank_debit", "processing"),
    ])
    func thePresenceOfThePayerDoesNotMatter(method: String, status: String) async throws {
        try await withStandIn { _, client in
            for fields in [["return_url": "http://127.0.0.1/back"], ["off_session": "true"]] {
                let intent = await client.pay(method, fields)
                #expect(intent.json["status"].string == status)
                #expect(intent.json["next_action"].isNull)
            }
        }
    }

    @Test(arguments: AuthenticatedCard.all)
    func theBankAsksOnlyAPayerWhoIsPresent(card: AuthenticatedCard) async throws {
        try await withStandIn { control, client in
            let onSession = await client.pay(card.method, ["return_url": "http://127.0.0.1/back"])
            #expect(onSession.json["status"].string == "requires_action")
            let redirect = onSession.json["next_action"]["redirect_to_url"]
            #expect(redirect["return_url"].string == "http://127.0.0.1/back")
            let offSession = await client.pay(card.method, ["off_session": "true"])
            #expect(offSession.error["decline_code"].string == card.declineCode)
            #expect(offSession.json["status"].string == card.statusWithoutPayer)
            #expect(control.movements().count == (card.declineCode == nil ? 1 : 0))
        }
    }

    @Test func aPayerAuthenticatesAfterAnOffSessionDecline() async throws {
        try await withStandIn { control, client in
            let customer = await client.post("/v1/customers", ["payment_method": "pm_card_authenticationRequired"]).id
            let method = try #require(await client.get("/v1/customers/\(customer)/payment_methods").ids.first)
            let declined = await client.pay(method, ["customer": customer, "off_session": "true"])
            #expect(declined.code == "authentication_required")
            #expect(declined.error["payment_method"]["id"].string == method)
            let intent = declined.error["payment_intent"]["id"].string ?? ""
            let path = "/v1/payment_intents/\(intent)/confirm"
            let confirmed = await client.post(path, ["payment_method": method])
            #expect(confirmed.json["status"].string == "requires_action")
            #expect(control.authenticate(intent) == .completed)
            #expect(control.movements().map(\.intent) == [intent])
        }
    }

    @Test func authenticationDecidesAnIntent() async throws {
        try await withStandIn { control, client in
            let good = await client.pay("pm_card_threeDSecure2Required").id
            let bad = await client.pay("pm_card_threeDSecure2Required").id
            let poor = await client.pay("pm_card_authenticationRequiredChargeDeclinedInsufficientFunds").id
            #expect(control.authenticate(good) == .completed)
            #expect(control.authenticate(bad, succeeds: false) == .declined("authentication_failed"))
            #expect(control.authenticate(poor) == .declined("insufficient_funds"))
            #expect(control.object(bad)?["status"].string == "requires_payment_method")
            #expect(control.movements().map(\.intent) == [good])
            guard case .unavailable = control.authenticate(good) else {
                Issue.record("A succeeded intent was authenticated again.")
                return
            }
        }
    }

    @Test func anAsynchronousPaymentEndsByTheClockOrTheControl() async throws {
        try await withStandIn { control, client in
            let first = await client.pay("pm_bank_debit").id
            let second = await client.pay("pm_bank_debit").id
            #expect(await client.post("/v1/payment_intents/\(first)/cancel").status == 400)
            try control.completePayment(second, succeeds: false)
            #expect(control.object(second)?["status"].string == "requires_payment_method")
            control.advance(by: .seconds(3 * 86_400 - 1))
            #expect(await client.get("/v1/payment_intents/\(first)").json["status"].string == "processing")
            control.advance(by: .seconds(1))
            #expect(await client.get("/v1/payment_intents/\(first)").json["status"].string == "succeeded")
            #expect(control.movements().map(\.intent) == [first])
        }
    }

    @Test func whatIsDueHappensAtItsOwnTime() async throws {
        try await withStandIn { control, client in
            let start = control.now
            _ = await client.pay("pm_bank_debit")
            let session = await client.session().id
            control.advance(by: .seconds(10 * 86_400))
            #expect(control.movements().map(\.at) == [start + 3 * 86_400])
            let types = "types[]=checkout.session.expired&types[]=payment_intent.succeeded"
            let events = await client.get("/v1/events?\(types)").json["data"].array
            #expect(events.map { $0["created"].int } == [start + 3 * 86_400, start + 86_400])
            #expect(events.last?["data"]["object"]["id"].string == session)
        }
    }

    @Test func listsAreNewestFirstAndHavePages() async throws {
        try await withStandIn { control, client in
            let customer = await client.post("/v1/customers").id
            var made: [String] = []
            for _ in 0..<5 {
                made.append(await client.prepare("pm_card_visa", ["customer": customer]))
                control.advance(by: .seconds(10))
            }
            _ = await client.prepare()
            let newest = Array(made.reversed())
            let path = "/v1/payment_intents?customer=\(customer)"
            let page = await client.get(path + "&limit=2")
            #expect(page.ids == Array(newest[0..<2]))
            #expect(page.json["has_more"].bool == true)
            let next = await client.get(path + "&limit=3&starting_after=\(newest[1])")
            #expect(next.ids == Array(newest[2..<5]))
            #expect(next.json["has_more"].bool == false)
            #expect(await client.get(path + "&limit=1&ending_before=\(newest[3])").ids == [newest[2]])
            #expect(await client.get(path + "&created[gte]=1800000030").ids == Array(newest[0..<2]))
            #expect(await client.get(path + "&created[gt]=1800000030").ids == [newest[0]])
            #expect(await client.get(path + "&created[lt]=1800000010").ids == [newest[4]])
            #expect(await client.get(path + "&created[lte]=1800000010").ids == Array(newest[3..<5]))
            #expect(await client.get(path + "&limit=101").status == 400)
        }
    }

    @Test func theSearchIsBehind() async throws {
        try await withStandIn { control, client in
            let id = await client.prepare("pm_card_visa", ["metadata[order]": "7"])
            let path = "/v1/payment_intents/search?query=metadata%5B'order'%5D:'7'"
            #expect(await client.get("/v1/payment_intents/\(id)").status == 200)
            #expect(await client.get(path).ids == [])
            control.advance(by: .seconds(60))
            #expect(await client.get(path).ids == [id])
            #expect(await client.get(path.replacing("7'", with: "8'")).ids == [])
            _ = await client.post("/v1/payment_intents/\(id)/confirm")
            let found = await client.get(path).json["data"].array.first
            #expect(found?["status"].string == "requires_confirmation")
            control.change { $0.searchLag = 3_600 }
            #expect(await client.get(path).ids == [])
        }
    }
}

@Suite struct CustomerTests {
    @Test func anAttachedMethodBehavesAlike() async throws {
        try await withStandIn { _, client in
            let customer = await client.post("/v1/customers", ["metadata[account]": "a"])
            #expect(customer.json["metadata"]["account"].string == "a")
            let path = "/v1/payment_methods/pm_card_visa_chargeDeclinedLostCard/attach"
            let method = await client.post(path, ["customer": customer.id])
            #expect(method.id != "pm_card_visa_chargeDeclinedLostCard")
            #expect(method.json["card"]["last4"].string == "9987")
            #expect(await client.get("/v1/customers/\(customer.id)/payment_methods").ids == [method.id])
            let fields = ["invoice_settings[default_payment_method]": method.id, "description": "x"]
            let updated = await client.post("/v1/customers/\(customer.id)", fields)
            #expect(updated.json["invoice_settings"]["default_payment_method"].string == method.id)
            let declined = await client.pay(method.id, ["customer": customer.id, "off_session": "true"])
            #expect(declined.error["decline_code"].string == "lost_card")
            #expect(await client.pay(method.id).status == 400)
        }
    }

    @Test func aDetachedMethodCannotBeUsed() async throws {
        try await withStandIn { _, client in
            let customer = await client.post("/v1/customers", ["payment_method": "pm_card_visa"]).id
            let method = try #require(await client.get("/v1/customers/\(customer)/payment_methods").ids.first)
            _ = await client.post("/v1/payment_methods/\(method)/detach")
            #expect(await client.get("/v1/customers/\(customer)/payment_methods").ids == [])
            #expect(await client.pay(method, ["customer": customer]).status == 400)
            #expect(await client.post("/v1/payment_methods/\(method)/detach").status == 400)
        }
    }

    @Test func aMethodThatWasSetUpPaysWithoutItsPayer() async throws {
        try await withStandIn { control, client in
            let customer = await client.post("/v1/customers").id
            let card = "pm_card_authenticationRequiredOnSetup"
            let fields = ["customer": customer, "setup_future_usage": "off_session"]
            let intent = await client.pay(card, fields).id
            #expect(control.authenticate(intent) == .completed)
            let method = try #require(await client.get("/v1/customers/\(customer)/payment_methods").ids.first)
            let renewal = await client.pay(method, ["customer": customer, "off_session": "true"])
            #expect(renewal.json["status"].string == "succeeded")
            let expanded = await client.get("/v1/payment_intents/\(renewal.id)?expand[]=latest_charge.customer")
            #expect(expanded.json["latest_charge"]["customer"]["id"].string == customer)
        }
    }
}
