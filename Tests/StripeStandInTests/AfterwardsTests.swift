import StripeConformance
import StripeStandIn
import Testing

/// Behaviour 11.
@Suite struct RefundTests {
    @Test func aPaymentIsRefundedInPartsAndNoMore() async throws {
        try await withStandIn { control, client in
            let intent = await client.pay("pm_card_visa").id
            let fields = ["payment_intent": intent, "amount": "200", "metadata[refund]": "r1"]
            let first = await client.post("/v1/refunds", fields)
            #expect(first.json["status"].string == "succeeded")
            #expect(first.json["metadata"]["refund"].string == "r1")
            let tooMuch = await client.post("/v1/refunds", ["payment_intent": intent, "amount": "301"])
            #expect(tooMuch.status == 400)
            let second = await client.post("/v1/refunds", ["payment_intent": intent])
            #expect(second.json["amount"].int == 300)
            let third = await client.post("/v1/refunds", ["payment_intent": intent])
            #expect(third.code == "charge_already_refunded")
            #expect(await client.get("/v1/refunds?payment_intent=\(intent)").ids == [second.id, first.id])
            #expect(control.movements().map(\.kind) == [.charge, .refund, .refund])
            #expect(control.movements().map(\.amount) == [500, 200, 300])
        }
    }

    @Test func aPendingRefundSucceedsOrFailsLater() async throws {
        try await withStandIn { control, client in
            var refunds: [String] = []
            for _ in 0..<3 {
                let intent = await client.pay("pm_card_pendingRefund").id
                refunds.append(await client.post("/v1/refunds", ["payment_intent": intent]).id)
                #expect(control.object(refunds.last ?? "")?["status"].string == "pending")
            }
            try control.settleRefund(refunds[0], "canceled")
            try control.settleRefund(refunds[1], "failed")
            #expect(throws: ControlError.self) { try control.settleRefund(refunds[0], "succeeded") }
            control.advance(by: .seconds(86_400))
            let statuses = refunds.map { control.object($0)?["status"].string }
            #expect(statuses == ["canceled", "failed", "succeeded"])
            #expect(control.movements().filter { $0.kind == .refund }.map(\.object) == [refunds[2]])
        }
    }

    @Test func aRefundFailsAfterItHadSucceeded() async throws {
        try await withStandIn { control, client in
            let intent = await client.pay("pm_card_refundFail").id
            let refund = await client.post("/v1/refunds", ["payment_intent": intent])
            #expect(refund.json["status"].string == "succeeded")
            control.advance(by: .seconds(86_400))
            #expect(await client.get("/v1/refunds/\(refund.id)").json["status"].string == "failed")
            #expect(control.movements().map(\.kind) == [.charge, .refund, .refundFailure])
            #expect(await client.post("/v1/refunds", ["payment_intent": intent]).status == 200)
        }
    }

    @Test func aRefundInTheDashboardIsListedAndReported() async throws {
        try await withStandIn { control, client in
            let intent = await client.pay("pm_card_visa").id
            let refund = try control.refundInDashboard(intent, amount: 100)
            #expect(await client.get("/v1/refunds?payment_intent=\(intent)").ids == [refund])
            let event = try #require(await client.get("/v1/events?type=refund.created").json["data"].array.first)
            #expect(event["data"]["object"]["id"].string == refund)
            #expect(event["request"]["id"].isNull)
            #expect(throws: ControlError.self) { try control.refundInDashboard(intent, amount: 401) }
        }
    }
}

/// Behaviour 12.
@Suite struct DisputeTests {
    @Test(arguments: DisputedCard.all)
    func aCardIsDisputed(card: DisputedCard) async throws {
        try await withStandIn { control, client in
            let intent = await client.pay(card.method).id
            let found = await client.get("/v1/disputes?payment_intent=\(intent)")
            let dispute = try #require(found.json["data"].array.first)
            #expect(dispute["reason"].string == card.reason)
            #expect(dispute["status"].string == card.status)
            #expect(control.movements().map(\.kind) == (card.isInquiry ? [.charge] : [.charge, .dispute]))
            let refund = await client.post("/v1/refunds", ["payment_intent": intent])
            #expect(refund.code == (card.isInquiry ? "" : "charge_disputed"))
        }
    }

    @Test func aFraudWarningIsReportedAndListed() async throws {
        try await withStandIn { control, client in
            let intent = await client.pay("pm_card_visa").id
            let warning = try control.warnOfFraud(intent)
            #expect(await client.get("/v1/radar/early_fraud_warnings?payment_intent=\(intent)").ids == [warning])
            #expect(await client.get("/v1/events?type=radar.early_fraud_warning.created").ids.count == 1)
            #expect(control.movements().map(\.kind) == [.charge])
        }
    }

    @Test(arguments: [
        ("winning_evidence", "won", [Movement.Kind.charge, .dispute, .disputeReversal]),
        ("losing_evidence", "lost", [.charge, .dispute]),
    ])
    func theTextOfTheEvidenceDecides(evidence: String, status: String, moved: [Movement.Kind]) async throws {
        try await withStandIn { control, client in
            let intent = await client.pay("pm_card_createDispute").id
            let path = "/v1/disputes/\(try #require(control.disputes(of: intent).first))"
            let fields = ["evidence[uncategorized_text]": evidence, "submit": "true"]
            #expect(await client.post(path, fields).json["status"].string == status)
            #expect(await client.get(path).json["status"].string == status)
            #expect(control.movements().map(\.kind) == moved)
            #expect(await client.post(path, fields).status == 400)
        }
    }

    @Test func disputesAreWonLostOrClosed() async throws {
        try await withStandIn { control, client in
            var disputes: [String] = []
            for isInquiry in [false, false, true, true] {
                let intent = await client.pay("pm_card_visa").id
                disputes.append(try control.openDispute(intent, isInquiry: isInquiry))
            }
            try control.closeDispute(disputes[0], "won")
            try control.closeDispute(disputes[1], "lost")
            try control.closeDispute(disputes[2], "warning_closed")
            try control.escalateDispute(disputes[3])
            #expect(throws: ControlError.self) { try control.closeDispute(disputes[1], "won") }
            let statuses = disputes.map { control.object($0)?["status"].string }
            #expect(statuses == ["won", "lost", "warning_closed", "needs_response"])
            let moved = control.movements().filter { $0.kind != .charge }
            #expect(moved.map(\.kind) == [.dispute, .dispute, .disputeReversal, .dispute])
            #expect(moved.map(\.object) == [disputes[0], disputes[1], disputes[0], disputes[3]])
            #expect(await client.get("/v1/events?type=charge.dispute.closed").ids.count == 3)
        }
    }
}
