import FoundationEssentials

extension Check {
    static let idempotency = [
        Check("key-replayed", "A repeated request is answered from its key, and has no second effect.") { run in
            let (key, fields) = (newKey, CheckRun.payment("pm_card_visa"))
            let first = try await run.post(CheckRun.intents, "", fields, key: key)
            let intent = try run.id(of: first)
            run.expect("POST /v1/payment_intents: Idempotent-Replayed", first.isReplayed, false)
            let second = try await run.post(CheckRun.intents, "", fields, key: key)
            run.expect(second, 200, ["id": .text(intent)])
            run.expect("POST /v1/payment_intents, again: Idempotent-Replayed", second.isReplayed, true)
            run.expect("POST /v1/payment_intents, again: body", second.json == first.json, true)
            run.expect(try await run.cancel(intent), 200, ["status": "canceled"])
        },
        Check("key-other-parameters", "A key is refused with other parameters.") { run in
            let key = newKey
            _ = try run.id(of: try await run.post("/v1/customers", "", [("description", "a")], key: key))
            let other = try await run.post("/v1/customers", "", [("description", "b")], key: key)
            run.expect(other, 400, ["error.type": "idempotency_error"])
        },
        Check("key-other-endpoint", "A key is refused at another endpoint.") { run in
            let key = newKey
            let intent = try await run.prepare()
            run.expect(try await run.post("\(CheckRun.intents)/*/cancel", intent, key: key), 200)
            let other = try await run.post("/v1/customers", key: key)
            run.expect(other, 400, ["error.type": "idempotency_error"])
        },
        Check("key-decline", "A decline is stored for its key.") { run in
            let key = newKey
            let intent = try await run.prepare("pm_card_visa_chargeDeclined")
            for isReplayed in [false, true] {
                let answer = try await run.post("\(CheckRun.intents)/*/confirm", intent, key: key)
                run.expect(answer, 402, ["error.decline_code": "generic_decline"])
                run.expect("\(answer.call): Idempotent-Replayed", answer.isReplayed, isReplayed)
            }
            run.expect(try await run.cancel(intent), 200, ["status": "canceled"])
        },
        Check("key-invalid-request", "A request that is not valid does not use its key.") { run in
            let key = newKey
            run.expect(try await run.post("/v1/customers", "", [("colour", "1")], key: key), 400)
            let corrected = try await run.post("/v1/customers", "", [("description", "a")], key: key)
            run.expect(corrected, 200, ["description": "a"])
            run.expect("\(corrected.call): Idempotent-Replayed", corrected.isReplayed, false)
        },
    ]

    private static var newKey: String { "conformance:\(UUID().uuidString)" }
}
