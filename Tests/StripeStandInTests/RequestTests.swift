import StripeStandIn
import Testing

/// The form of requests, keys of the API, and idempotency keys.
@Suite struct RequestTests {
    @Test func nestedBracketsAreDecoded() throws {
        let fields = FormFields(encoded: "a%5Bb%5D=c+d&types[]=x&types[]=y&e=%C3%A9&f")
        #expect(fields.values == ["a[b]": "c d", "types[0]": "x", "types[1]": "y", "e": "é", "f": ""])
        #expect(FormFields.encoded("a[b]=é ") == "a%5Bb%5D%3D%C3%A9%20")
    }

    @Test func jsonIsReadAsItIsWritten() throws {
        let value: JSON = ["a": [1, nil, true, "\"\\\n\u{1F600}"], "b": [:]]
        #expect(JSON(text: value.text.utf8) == value)
        #expect(JSON(text: "{".utf8) == nil)
    }

    @Test(arguments: ["colour", "metadata_", "line_items[0][color]", "automatic_payment_methods[on]"])
    func anUnknownParameterIsRefused(_ name: String) async throws {
        try await withStandIn { control, client in
            let answer = await client.post("/v1/payment_intents", ["amount": "500", "currency": "eur", name: "1"])
            #expect(answer.status == 400)
            #expect(answer.code == "parameter_unknown")
            #expect(answer.error["param"].string == name)
            #expect(answer.header("request-id")?.hasPrefix("req_") == true)
            #expect(await client.get("/v1/payment_intents").ids == [])
        }
    }

    @Test func invalidParametersAreRefused() async throws {
        try await withStandIn { _, client in
            let path = "/v1/payment_intents"
            #expect(await client.post(path, ["currency": "eur"]).code == "parameter_missing")
            #expect(await client.post(path, ["amount": "5", "currency": "eur"]).code == "amount_too_small")
            #expect(
                await client.post(path, ["amount": "x", "currency": "eur"]).code == "parameter_invalid_integer"
            )
            #expect(await client.post(path, ["amount": "1005", "currency": "kwd"]).status == 400)
            #expect(await client.post(path, ["amount": "50", "currency": "jpy"]).status == 200)
            #expect(await client.get("/v1/payment_intents/pi_none").status == 404)
            #expect(await client.get("/v1/payment_intents/pi_none").code == "resource_missing")
            #expect(await client.get("/v1/none").status == 404)
        }
    }

    @Test func keysOfTheAPIAreChecked() async throws {
        try await withStandIn { control, client in
            control.addKey("rk_test_reader", permissions: ["payment_intent_read"])
            control.addKey("sk_test_second")
            control.addKey("sk_live_other")
            let intent = await client.prepare()
            var other = client
            other.secret = "sk_test_second"
            #expect(await other.get("/v1/account").status == 200)
            control.revokeKey("sk_test_second")
            #expect(await other.get("/v1/account").status == 401)
            other.secret = nil
            #expect(await other.get("/v1/account").status == 401)
            other.secret = "rk_test_reader"
            #expect(await other.get("/v1/payment_intents/\(intent)").status == 200)
            #expect(await other.post("/v1/payment_intents/\(intent)/cancel").status == 403)
            other.secret = "sk_live_other"
            #expect(await other.get("/v1/payment_intents/\(intent)").code == "resource_missing")
            control.addKey("sk_test_foreign", account: "acct_other")
            other.secret = "sk_test_foreign"
            #expect(await other.get("/v1/account").id == "acct_other")
            #expect(await client.get("/v1/account").id == control.settings.account)
            other.secret = client.secret
            other.version = nil
            #expect(await other.get("/v1/account").status == 400)
        }
    }
}

/// Behaviours 2 to 5.
@Suite struct IdempotencyTests {
    @Test func aRepeatedRequestIsAnsweredFromTheKey() async throws {
        try await withStandIn { control, client in
            let first = await client.pay("pm_card_visa", key: "1")
            let second = await client.pay("pm_card_visa", key: "1")
            #expect(!first.isReplayed && second.isReplayed)
            #expect(first.body == second.body)
            #expect(control.movements().count == 1)
            #expect(control.requests().map(\.isReplayed) == [false, true])
            #expect(control.requests().map(\.idempotencyKey) == ["1", "1"])
        }
    }

    @Test func declinesAndServerErrorsAreStored() async throws {
        try await withStandIn { control, client in
            let declined = await client.pay("pm_card_visa_chargeDeclined", key: "1")
            #expect(declined.status == 402)
            let again = await client.pay("pm_card_visa_chargeDeclined", key: "1")
            #expect(again.isReplayed && again.status == 402 && again.body == declined.body)
            for moment in [Fault.Moment.before, .after] {
                control.addFault(Fault(.error(500, moment)))
                #expect(await client.pay("pm_card_visa", key: "\(moment)").status == 500)
                let replayed = await client.pay("pm_card_visa", key: "\(moment)")
                #expect(replayed.status == 500 && replayed.isReplayed)
                #expect(control.movements().count == (moment == .before ? 0 : 1))
            }
        }
    }

    @Test func aKeyIsForOneRequestOnly() async throws {
        try await withStandIn { control, client in
            let id = await client.pay("pm_card_visa", key: "1").id
            let other = await client.pay("pm_card_visa", ["amount": "600"], key: "1")
            #expect(other.status == 400)
            #expect(other.error["type"].string == "idempotency_error")
            let endpoint = await client.post("/v1/refunds", ["payment_intent": id], key: "1")
            #expect(endpoint.error["type"].string == "idempotency_error")
            #expect(control.movements().count == 1)
        }
    }

    @Test func aKeyInUseIsRefusedUntilItsRequestHasEnded() async throws {
        try await withStandIn { control, client in
            control.addFault(Fault(.slow(seconds: nil)))
            let slow = try await client.startPost("/v1/customers", [:], key: "1")
            await eventually { control.heldCount == 1 }
            let busy = await client.post("/v1/customers", [:], key: "1")
            #expect(busy.status == 409)
            #expect(busy.code == "idempotency_key_in_use")
            control.releaseHeld()
            let first = try await slow.wait()
            let replayed = await client.post("/v1/customers", [:], key: "1")
            #expect(replayed.isReplayed && replayed.body == first.body)
        }
    }

    @Test func refusalsBeforeExecutionAreNotStored() async throws {
        try await withStandIn { control, client in
            control.addFault(Fault(.rateLimit))
            control.addFault(Fault(.lockTimeout))
            control.addFault(Fault(.keyInUse))
            control.addFault(Fault(.error(502, .before)))
            var statuses: [Int] = []
            for _ in 0..<4 {
                statuses.append(await client.post("/v1/customers", [:], key: "1").status)
            }
            #expect(statuses == [429, 429, 409, 502])
            var stranger = client
            stranger.secret = "sk_test_none"
            #expect(await stranger.post("/v1/customers", [:], key: "1").status == 401)
            #expect(await client.post("/v1/customers", ["colour": "1"], key: "1").status == 400)
            let answer = await client.post("/v1/customers", [:], key: "1")
            #expect(answer.status == 200 && !answer.isReplayed)
        }
    }

    @Test func aKeyIsNewAfterADay() async throws {
        try await withStandIn { control, client in
            _ = await client.pay("pm_card_visa", key: "1")
            control.advance(by: .seconds(86_399))
            #expect(await client.pay("pm_card_visa", key: "1").isReplayed)
            control.advance(by: .seconds(1))
            #expect(await client.pay("pm_card_visa", ["amount": "700"], key: "1").status == 200)
            #expect(control.movements().map(\.amount) == [500, 700])
        }
    }
}
