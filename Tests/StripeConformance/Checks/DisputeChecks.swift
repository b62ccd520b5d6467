import TillEngine

extension Check {
    static let disputes =
        DisputedCard.all.map(disputed) + [
            end("won", by: "winning_evidence", .failed, "A dispute that is won leaves the money with the merchant."),
            end("lost", by: "losing_evidence", .succeeded, "A dispute that is lost gives the money to the payer."),
        ]

    private static func disputed(_ card: DisputedCard) -> Check {
        Check("disputed:\(card.method)", "A payment with \(card.method) is disputed.") { run in
            let request = run.account.request()
            let payment = try await run.pay(card.method, run.metadata(request))
            let list = try await run.disputes(of: payment)
            run.expect(
                list,
                200,
                [
                    "data.0.reason": .text(card.reason), "data.0.status": .text(card.status), "data.0.amount": 500,
                    "data.0.currency": "eur", "data.0.payment_intent.id": .text(payment),
                ]
            )
            run.expect(
                try await run.get("\(CheckRun.intents)/*", payment, [("expand[]", "latest_charge")]),
                200,
                ["status": "succeeded", "latest_charge.disputed": true]
            )
            let dispute = list.ids.first ?? ""
            try await run.event("charge.dispute.created", about: dispute)
            let found = try await run.reversal(dispute)
            run.expect("news: payment", found.paymentID, request.paymentID)
            run.expect("news: kind", found.kind, .dispute)
            run.expect("news: status", found.status, card.isInquiry ? .pending : .withheld)
            let refund = try await run.refund(payment)
            if card.isInquiry {
                run.expect(refund, 200, ["status": "succeeded"])
            } else {
                run.expect(refund, 400, ["error.code": "charge_disputed"])
            }
        }
    }

    /// A check of how a dispute ends. The text of the evidence decides it (https://docs.stripe.com/testing#disputes).
    private static func end(
        _ status: String,
        by evidence: String,
        _ expected: ProviderReversal.Status,
        _ sentence: String
    ) -> Check {
        Check("dispute-\(status)", sentence) { run in
            let payment = try await run.pay("pm_card_createDispute", run.metadata(run.account.request()))
            let dispute = try await run.disputes(of: payment).ids.first ?? ""
            let fields = [("evidence[uncategorized_text]", evidence), ("submit", "true")]
            run.expect(try await run.post("/v1/disputes/*", dispute, fields), 200)
            try await run.eventually("/v1/disputes/*", dispute, ["status": .text(status)])
            try await run.event("charge.dispute.closed", about: dispute)
            run.expect("news: status", try await run.reversal(dispute).status, expected)
        }
    }
}

extension CheckRun {
    /// Waits until a payment has a dispute, and returns the list of its disputes.
    fileprivate func disputes(of payment: String) async throws -> APIAnswer {
        let fields = [("payment_intent", payment), ("expand[]", "data.payment_intent")]
        return try await eventually("/v1/disputes", "", fields, "a dispute") { !$0.ids.isEmpty }
    }
}
