extension World {
    /// Disputes a charge: as an inquiry, which moves no money, or as a chargeback, which does. Returns nil if the
    /// charge did not succeed.
    mutating func openDispute(_ chargeID: String, reason: String, isInquiry: Bool) -> Fields? {
        guard var charge = find(.charge, chargeID), charge.status == "succeeded" else {
            return nil
        }
        let dispute = make(
            .dispute,
            "du_1",
            [
                "amount": charge["amount"] ?? 0, "balance_transactions": [], "charge": .string(chargeID),
                "currency": charge["currency"] ?? nil, "evidence": [:],
                "evidence_details": [
                    "due_by": .int(now + 7 * 86_400), "has_evidence": false, "past_due": false,
                    "submission_count": 0,
                ],
                "is_charge_refundable": .bool(isInquiry), "livemode": charge["livemode"] ?? false, "metadata": [:],
                "payment_intent": charge["payment_intent"] ?? nil, "reason": .string(reason),
                "status": isInquiry ? "warning_needs_response" : "needs_response",
            ]
        )
        charge["disputed"] = true
        save(charge, event: "charge.updated")
        emit("charge.dispute.created", dispute)
        if !isInquiry {
            move(dispute, .dispute)
            emit("charge.dispute.funds_withdrawn", dispute)
        }
        return dispute
    }

    /// Closes a dispute as `won`, `lost`, `warning_closed` or `prevented`. Returns nil if that is not legal.
    mutating func closeDispute(_ id: String, _ status: String) -> Fields? {
        guard var dispute = find(.dispute, id) else {
            return nil
        }
        switch (dispute.status, status) {
        case ("needs_response", "won"): move(dispute, .disputeReversal)
        case ("needs_response", "lost"): break
        case ("warning_needs_response", "warning_closed"), ("warning_needs_response", "prevented"): break
        default: return nil
        }
        dispute["status"] = .string(status)
        dispute["is_charge_refundable"] = .bool(status != "lost")
        save(dispute, event: "charge.dispute.closed")
        if status == "won" {
            emit("charge.dispute.funds_reinstated", dispute)
        }
        return dispute
    }

    /// Submits the merchant's evidence. As in Stripe's test mode, its text decides a chargeback.
    mutating func submitEvidence(_ call: Call) throws(StripeFailure) -> JSON {
        let dispute = try require(.dispute, call.id, param: "dispute")
        let ends = ["winning_evidence": "won", "losing_evidence": "lost"]
        guard let end = ends[call.fields.string("evidence[uncategorized_text]") ?? ""] else {
            throw .invalid("The stand-in takes winning_evidence and losing_evidence.", param: "evidence")
        }
        guard let closed = closeDispute(dispute.id, end) else {
            throw .invalid("This dispute is already closed.").stored
        }
        return render(closed)
    }

    /// Turns an inquiry into a chargeback. Returns nil if the dispute is not an open inquiry.
    mutating func escalateDispute(_ id: String) -> Fields? {
        guard var dispute = find(.dispute, id), dispute.status == "warning_needs_response" else {
            return nil
        }
        dispute["status"] = "needs_response"
        dispute["is_charge_refundable"] = false
        save(dispute, event: "charge.dispute.updated")
        move(dispute, .dispute)
        emit("charge.dispute.funds_withdrawn", dispute)
        return dispute
    }

    /// Warns that a charge may be fraudulent. Returns nil if the charge did not succeed.
    mutating func warnOfFraud(_ chargeID: String) -> Fields? {
        guard let charge = find(.charge, chargeID), charge.status == "succeeded" else {
            return nil
        }
        let warning = make(
            .warning,
            "issfr_1",
            [
                "actionable": true, "charge": .string(chargeID), "fraud_type": "unauthorized_use_of_card",
                "livemode": charge["livemode"] ?? false, "payment_intent": charge["payment_intent"] ?? nil,
            ]
        )
        emit("radar.early_fraud_warning.created", warning)
        return warning
    }

    private mutating func move(_ dispute: Fields, _ kind: Movement.Kind) {
        move(kind, dispute.text("payment_intent"), dispute.id, dispute.number("amount"), dispute.text("currency"))
    }
}
