import StripeStandIn

/// The states of a PaymentIntent, and lists.
extension Check {
    static let intents = [
        Check("intent-charged-once", "A succeeded payment is neither confirmed nor cancelled again.") { run in
            let intent = try await run.pay()
            for verb in ["confirm", "cancel"] {
                run.expect(
                    try await run.post("\(CheckRun.intents)/*/\(verb)", intent),
                    400,
                    [
                        "error.code": "payment_intent_unexpected_state",
                        "error.payment_intent.status": "succeeded",
                    ]
                )
            }
            run.expect(
                try await run.get("\(CheckRun.intents)/*", intent, [("expand[]", "latest_charge")]),
                200,
                [
                    "status": "succeeded", "amount_received": 500, "last_payment_error": nil,
                    "latest_charge.status": "succeeded", "latest_charge.amount_refunded": 0,
                    "latest_charge.disputed": false,
                ]
            )
        },
        Check("intent-cancelled", "A cancelled payment can never be charged.") { run in
            let intent = try await run.prepare()
            run.expect(try await run.cancel(intent), 200, ["status": "canceled", "canceled_at": .present])
            let unexpected: KeyValuePairs<String, Expectation> = ["error.code": "payment_intent_unexpected_state"]
            run.expect(try await run.confirm(intent), 400, unexpected)
            run.expect(try await run.cancel(intent), 400, unexpected)
            run.expect(try await run.get("\(CheckRun.intents)/*", intent), 200, ["status": "canceled"])
        },
        Check("intent-without-method", "A payment without a payment method cannot be confirmed.") { run in
            let fields = CheckRun.payment("").filter { $0.0 != "payment_method" }
            let made = try await run.post(CheckRun.intents, "", fields)
            run.expect(made, 200, ["status": "requires_payment_method"])
            let intent = try run.id(of: made)
            run.expect(try await run.confirm(intent), 400, ["error.code": "payment_intent_unexpected_state"])
            run.expect(
                try await run.confirm(intent, [("payment_method", "pm_card_visa")]),
                200,
                ["status": "succeeded"]
            )
        },
        Check("intent-redirects", "A payment that may redirect is not confirmed without an address to return to.") {
            run in
            let fields = CheckRun.payment("pm_card_visa").filter { !$0.0.contains("allow_redirects") }
            let intent = try run.id(of: try await run.post(CheckRun.intents, "", fields))
            run.expect(try await run.confirm(intent), 400, ["error.type": "invalid_request_error"])
            let paid = try await run.confirm(intent, [("return_url", ConformanceAccount.returnURL)])
            run.expect(paid, 200, ["status": "succeeded"])
        },
        Check("intent-other-card", "After a decline, a payment can be paid with another card, once.") { run in
            let intent = try await run.prepare("pm_card_visa_chargeDeclined")
            run.expect(try await run.confirm(intent), 402)
            let paid = try await run.confirm(intent, [("payment_method", "pm_card_visa")])
            run.expect(paid, 200, ["status": "succeeded", "last_payment_error": nil])
        },
    ]

    static let lists = [
        Check("list-order", "Payments are listed newest first, with pages and cursors.") { run in
            let customer = try await run.customer()
            var newest: [String] = []
            for _ in 0..<3 {
                newest.insert(try await run.prepare("pm_card_visa", [("customer", customer)]), at: 0)
            }
            let first = try await run.get(CheckRun.intents, "", [("customer", customer), ("limit", "2")])
            run.expect(first, 200, ["object": "list", "has_more": true])
            // Within a second, Stripe may order in another way.
            run.expect("\(first.call): number of payments", first.ids.count, 2)
            let rest = try await run.get(
                CheckRun.intents,
                "",
                [("customer", customer), ("limit", "2"), ("starting_after", first.ids.last ?? "")]
            )
            run.expect(rest, 200, ["has_more": false])
            run.expect("\(rest.call): payments", Set(first.ids + rest.ids), Set(newest))
            let times = (first.json["data"].array + rest.json["data"].array).compactMap { $0["created"].int }
            run.expect("\(first.call): order of created", times, times.sorted(by: >))
            for intent in newest {
                run.expect(try await run.cancel(intent), 200, ["status": "canceled"])
            }
        },
        Check("list-created", "A list can be limited to a time.") { run in
            let customer = try await run.customer()
            let intent = try await run.prepare("pm_card_visa", [("customer", customer)])
            let created = try await run.get("\(CheckRun.intents)/*", intent)["created"].int ?? 0
            for (name, time, ids) in [
                ("gte", created, [intent]), ("lte", created, [intent]), ("gt", created, []), ("lt", created, []),
            ] {
                let fields = [("customer", customer), ("created[\(name)]", "\(time)")]
                let list = try await run.get(CheckRun.intents, "", fields)
                run.expect("\(list.call), created[\(name)]: payments", list.ids, ids)
            }
            run.expect(try await run.cancel(intent), 200)
        },
        Check("list-limit", "A page has 100 objects at most.") { run in
            run.expect(try await run.get(CheckRun.intents, "", [("limit", "100")]), 200)
            run.expect(
                try await run.get(CheckRun.intents, "", [("limit", "101")]),
                400,
                ["error.type": "invalid_request_error"]
            )
        },
    ]
}
