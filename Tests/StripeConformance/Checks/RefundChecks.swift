import FoundationEssentials
import TillEngine
import TillModel

extension Check {
    static let refunds = [
        Check("refund", "A payment is refunded in parts, and no more than it was.") { run in
            let payment = try await run.pay()
            let part = try await run.refund(payment, [("amount", "200"), ("metadata[till_refund]", "r1")])
            run.expect(part, 200, ["status": "succeeded", "amount": 200, "metadata.till_refund": "r1"])
            let first = try run.id(of: part)
            run.expect(
                try await run.refund(payment, [("amount", "301")]),
                400,
                ["error.type": "invalid_request_error"]
            )
            let rest = try await run.refund(payment)
            run.expect(rest, 200, ["status": "succeeded", "amount": 300])
            run.expect(try await run.refund(payment), 400, ["error.code": "charge_already_refunded"])
            let list = try await run.get("/v1/refunds", "", [("payment_intent", payment), ("limit", "100")])
            run.expect(list, 200, ["has_more": false])
            run.expect("\(list.call): refunds", Set(list.ids), [first, rest.id])
            run.expect(
                try await run.get("\(CheckRun.intents)/*", payment, [("expand[]", "latest_charge")]),
                200,
                ["status": "succeeded", "latest_charge.amount_refunded": 500, "latest_charge.refunded": true]
            )
        },
        Check("refund-till", "Till refunds once for each identity.") { run in
            let payment = try await run.pay()
            let provider = run.account.provider
            let request = run.refundRequest(payment, 200)
            let outcome = await provider.refund(request)
            guard case .succeeded(let refund) = outcome else {
                return run.note("refund", expected: "succeeded", got: "\(outcome)")
            }
            run.expect("refund, again", await provider.refund(request), outcome)
            run.expect("query", await provider.queryRefund(request), .settled(outcome))
            let list = try await run.get("/v1/refunds", "", [("payment_intent", payment)])
            run.expect("\(list.call): refunds", list.ids, [refund])
            _ = try run.declined("refund of too much", await provider.refund(run.refundRequest(payment, 301)))
            run.expect(try await run.refund(payment), 200, ["status": "succeeded"])
            let error = try run.declined("refund, after all", await provider.refund(run.refundRequest(payment, 1)))
            run.expect("refund, after all: code", error.providerCode, "charge_already_refunded")
        },
        Check("refund-pending", "A pending refund succeeds later.") { run in
            let payment = try await run.pay("pm_card_pendingRefund")
            let request = run.refundRequest(payment, 500)
            run.expect("refund", await run.account.provider.refund(request), .pending)
            let list = try await run.get("/v1/refunds", "", [("payment_intent", payment)])
            run.expect(list, 200, ["data.0.status": "pending"])
            try await run.eventually("/v1/refunds/*", list.ids.first ?? "", ["status": "succeeded"])
            run.expect(
                "query",
                await run.account.provider.queryRefund(request),
                .settled(.succeeded(reference: list.ids.first ?? ""))
            )
        },
        Check("refund-failing", "A refund can fail after it had succeeded.") { run in
            let payment = try await run.pay("pm_card_refundFail")
            let made = try await run.refund(payment)
            run.expect(made, 200, ["status": "succeeded"])
            let refund = try run.id(of: made)
            try await run.eventually(
                "/v1/refunds/*",
                refund,
                ["status": "failed", "failure_reason": .present]
            )
            try await run.event("refund.failed", about: refund)
        },
    ]
}

extension CheckRun {
    fileprivate func refundRequest(_ payment: String, _ amount: Int64) -> ProviderRefundRequest {
        ProviderRefundRequest(
            refundID: .version7(),
            paymentID: .version7(),
            charge: payment,
            amount: amount,
            currency: "EUR"
        )
    }
}
