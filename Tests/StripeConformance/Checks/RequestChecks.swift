import TillCrypto
import TillStripe

extension Check {
    static let requests = [
        Check("account", "A key's account has an identity.") { run in
            let account = try await run.get("/v1/account")
            run.expect(account, 200, ["id": .prefix("acct_"), "object": "account"])
            run.expect("GET /v1/account: id", account.id, run.account.id)
        },
        Check("version", "An answer follows the version of the API that Till asks for.") { run in
            let account = try await run.get("/v1/account")
            run.expect("GET /v1/account: Stripe-Version", account.version, StripeAPI.version)
        },
        Check("unknown-key", "A key that does not exist is refused.") { run in
            var text = Array("sk_test_00000000000000000000000000000000".utf8)
            let answer = try await run.post("/v1/customers", as: StripeKey(Secret(moving: &text)))
            run.expect(answer, 401, ["error.type": "invalid_request_error"])
        },
        Check("unknown-parameter", "An unknown parameter is refused.") { run in
            for name in ["colour", "automatic_payment_methods[colour]"] {
                let answer = try await run.post(
                    CheckRun.intents,
                    "",
                    CheckRun.payment("pm_card_visa", [(name, "1")])
                )
                run.expect(answer, 400, ["error.code": "parameter_unknown", "error.param": .text(name)])
            }
        },
        Check("missing-object", "An object that does not exist is reported as missing.") { run in
            run.expect(
                try await run.get("\(CheckRun.intents)/*", "pi_none"),
                404,
                ["error.code": "resource_missing"]
            )
            let customer = try await run.post(
                CheckRun.intents,
                "",
                CheckRun.payment("pm_card_visa", [("customer", "cus_none")])
            )
            run.expect(customer, 400, ["error.code": "resource_missing", "error.param": "customer"])
            let method = try await run.post(CheckRun.intents, "", CheckRun.payment("pm_none"))
            run.expect(method, 400, ["error.code": "resource_missing", "error.param": "payment_method"])
        },
        Check("amount", "An amount that cannot be charged is refused.") { run in
            for (amount, code) in [("5", "amount_too_small"), ("100000000", "amount_too_large")] {
                let answer = try await run.post(CheckRun.intents, "", [("amount", amount), ("currency", "eur")])
                run.expect(answer, 400, ["error.code": .text(code), "error.type": "invalid_request_error"])
            }
            let missing = try await run.post(CheckRun.intents, "", [("currency", "eur")])
            run.expect(missing, 400, ["error.code": "parameter_missing", "error.param": "amount"])
            let currency = try await run.post(CheckRun.intents, "", [("amount", "500"), ("currency", "iqd")])
            run.expect(currency, 400, ["error.type": "invalid_request_error"])
        },
        Check("metadata", "Metadata comes back as it was sent.") { run in
            let text = "é × 1 & \"more\"=[x]"
            let intent = try await run.prepare("pm_card_visa", [("metadata[till_payment]", text)])
            run.expect(
                try await run.get("\(CheckRun.intents)/*", intent),
                200,
                ["metadata.till_payment": .text(text), "metadata.other": nil]
            )
            run.expect(try await run.cancel(intent), 200, ["status": "canceled"])
        },
    ]
}
