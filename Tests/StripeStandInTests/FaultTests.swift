import StripeStandIn
import Testing

/// Behaviour 7.
@Suite struct FaultTests {
    @Test(arguments: [Fault.Moment.before, .after])
    func aResetLosesTheAnswerOnly(_ moment: Fault.Moment) async throws {
        try await withStandIn { control, client in
            let id = await client.prepare()
            control.addFault(Fault(.reset(moment), path: "/v1/payment_intents/.*/confirm"))
            #expect(await client.post("/v1/payment_intents/\(id)/confirm").status == 0)
            #expect(control.movements().count == (moment == .before ? 0 : 1))
            #expect(await client.get("/v1/payment_intents/\(id)").status == 200)
        }
    }

    @Test func aHangingRequestHasItsEffect() async throws {
        try await withStandIn { control, client in
            let id = await client.prepare()
            control.addFault(Fault(.hang(.after), method: "POST"))
            let pending = try await client.startPost("/v1/payment_intents/\(id)/confirm")
            await eventually { control.movements().count == 1 }
            try await pending.giveUp()
            #expect(await client.get("/v1/payment_intents/\(id)").json["status"].string == "succeeded")
        }
    }

    @Test(arguments: [500, 502], [Fault.Moment.before, .after])
    func aServerErrorComesBeforeOrAfterTheEffect(_ status: Int, _ moment: Fault.Moment) async throws {
        try await withStandIn { control, client in
            control.addFault(Fault(.error(status, moment), shouldRetry: true, retryAfter: 3))
            let answer = await client.pay("pm_card_visa")
            #expect(answer.status == status)
            #expect(answer.header("stripe-should-retry") == "true")
            #expect(answer.header("retry-after") == "3")
            #expect(control.movements().count == (moment == .before ? 0 : 1))
        }
    }

    @Test func aProxyErrorAfterTheEffectLeavesTheRealAnswerUnderTheKey() async throws {
        try await withStandIn { control, client in
            control.addFault(Fault(.error(502, .after)))
            #expect(await client.pay("pm_card_visa", key: "1").status == 502)
            let replayed = await client.pay("pm_card_visa", key: "1")
            #expect(replayed.isReplayed && replayed.status == 200)
            #expect(control.movements().count == 1)
        }
    }

    @Test func aBodyIsTruncatedAfterTheEffect() async throws {
        try await withStandIn { control, client in
            control.addFault(Fault(.truncated))
            let answer = await client.pay("pm_card_visa")
            #expect(answer.status == 200 && !answer.isWhole)
            #expect(answer.json == .null)
            #expect(control.movements().count == 1)
        }
    }

    @Test func aLateRequestArrivesAfterItsClientGaveUp() async throws {
        try await withStandIn { control, client in
            let id = await client.prepare()
            control.addFault(Fault(.late(seconds: nil), path: "/v1/payment_intents/"))
            let late = try await client.startPost("/v1/payment_intents/\(id)/confirm", [:], key: "1")
            await eventually { control.heldCount == 1 }
            try await late.giveUp()
            #expect(control.movements() == [])
            let other = await client.post("/v1/payment_intents/\(id)/confirm", [:], key: "1")
            #expect(other.json["status"].string == "succeeded")
            control.releaseHeld()
            #expect(control.requests().last?.isReplayed == true)
            #expect(control.movements().count == 1)
        }
    }

    @Test func anObjectIsLockedWhileARequestChangesIt() async throws {
        try await withStandIn { control, client in
            let id = await client.prepare()
            control.addFault(Fault(.slow(seconds: nil), path: "/v1/payment_intents/"))
            let slow = try await client.startPost("/v1/payment_intents/\(id)/confirm")
            await eventually { control.heldCount == 1 }
            let refused = await client.post("/v1/payment_intents/\(id)/cancel")
            #expect(refused.status == 429)
            #expect(refused.code == "lock_timeout")
            #expect(await client.get("/v1/payment_intents/\(id)").status == 200)
            control.releaseHeld()
            let confirmed = try await slow.wait()
            #expect(confirmed.json["status"].string == "succeeded")
        }
    }

    @Test func aFaultIsForTheRequestsThatItSelects() async throws {
        try await withStandIn { control, client in
            control.addFault(Fault(.rateLimit, method: "POST", path: "/v1/customers", skip: 1, count: 2))
            var statuses: [Int] = []
            for _ in 0..<4 {
                statuses.append(await client.post("/v1/customers").status)
                statuses.append(await client.get("/v1/payment_intents").status)
            }
            #expect(statuses == [200, 200, 429, 200, 429, 200, 200, 200])
            #expect(control.requests().compactMap(\.fault) == ["rate_limit", "rate_limit"])
        }
    }

    @Test func theRateIsLimitedForEachEndpoint() async throws {
        try await withStandIn { settings in
            settings.rateLimit = 2
        } _: { control, client in
            var statuses: [Int] = []
            for _ in 0..<3 {
                statuses.append(await client.get("/v1/account").status)
            }
            #expect(statuses == [200, 200, 429])
            #expect(await client.get("/v1/payment_intents").status == 200)
            control.advance(by: .seconds(1))
            #expect(await client.get("/v1/account").status == 200)
        }
    }

    @Test func theControlIsAlsoServed() async throws {
        try await withStandIn { control, client in
            let fields = ["kind": "500", "moment": "after", "path": "/v1/payment_intents", "should_retry": "false"]
            #expect(await client.post("/control/fault", fields).status == 200)
            let answer = await client.pay("pm_card_visa")
            #expect(answer.status == 500)
            #expect(answer.header("stripe-should-retry") == "false")
            let movements = await client.post("/control/movements").json.array
            #expect(movements.map { $0["kind"].string } == ["charge"])
            let intent = movements.first?["intent"].string ?? ""
            let dispute = await client.post("/control/open_dispute", ["intent": intent])
            #expect(await client.get("/v1/disputes").ids == [dispute.id])
            let start = control.now
            #expect(await client.post("/control/advance", ["seconds": "5"]).json["now"].int == start + 5)
            #expect(await client.post("/control/requests").json.array.count == 2)
            #expect(await client.post("/control/none").status == 400)
            #expect(await client.post("/control/fault", ["kind": "none of these"]).status == 400)
        }
    }
}
