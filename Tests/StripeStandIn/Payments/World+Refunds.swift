extension World {
    mutating func createRefund(_ call: Call) throws(StripeFailure) -> JSON {
        let charge = try refundedCharge(call.fields)
        let remaining = charge.number("amount") - charge.number("amount_refunded")
        guard remaining > 0 else {
            throw StripeFailure(
                400,
                type: "invalid_request_error",
                code: "charge_already_refunded",
                "Charge \(charge.id) has already been refunded."
            ).stored
        }
        let amount = try call.fields.int("amount") ?? remaining
        guard amount > 0, amount <= remaining else {
            throw .invalid(
                "Refund amount (\(amount)) is greater than unrefunded amount on charge (\(remaining)).",
                param: "amount"
            ).stored
        }
        let reason = call.fields.string("reason")
        guard reason.map({ ["duplicate", "fraudulent", "requested_by_customer"].contains($0) }) ?? true else {
            throw .invalid("Invalid reason.", param: "reason")
        }
        let isDisputed = all(.dispute).contains {
            $0.text("charge") == charge.id && ["needs_response", "lost"].contains($0.status)
        }
        guard !isDisputed else {
            throw StripeFailure(
                400,
                type: "invalid_request_error",
                code: "charge_disputed",
                "Charge \(charge.id) has been charged back; it cannot be refunded."
            ).stored
        }
        return render(makeRefund(charge, amount, reason, call.fields))
    }

    private func refundedCharge(_ fields: FormFields) throws(StripeFailure) -> Fields {
        if let id = fields.string("charge") {
            let charge = try require(.charge, id, param: "charge", status: 400)
            guard charge.status == "succeeded" else {
                throw .invalid("This charge did not succeed.", param: "charge").stored
            }
            return charge
        }
        let id = try fields.require("payment_intent")
        let intent = try require(.intent, id, param: "payment_intent", status: 400)
        guard intent.intentStatus == .succeeded, let charge = find(.charge, intent.text("latest_charge")) else {
            throw .invalid("This PaymentIntent does not have a successful charge to refund.", param: "payment_intent")
                .stored
        }
        return charge
    }

    /// Makes a refund of an amount that can still be refunded.
    mutating func makeRefund(_ charge: Fields, _ amount: Int, _ reason: String?, _ fields: FormFields) -> Fields {
        let method = find(.method, charge.text("payment_method")) ?? [:]
        let aftermath = test(of: method).aftermath
        var refund = make(
            .refund,
            "re_3",
            [
                "amount": .int(amount), "balance_transaction": .string(nextID("txn_3")),
                "charge": .string(charge.id), "currency": charge["currency"] ?? nil,
                "destination_details": ["type": "card"], "failure_reason": nil,
                "failure_balance_transaction": nil, "livemode": charge["livemode"] ?? false, "metadata": [:],
                "payment_intent": charge["payment_intent"] ?? nil, "reason": JSON(reason), "receipt_number": nil,
                "status": aftermath == .refundPends ? "pending" : "succeeded",
            ]
        )
        refund.mergeMetadata(fields, "metadata")
        if [.refundPends, .refundFails].contains(aftermath) {
            refund["_settle_at"] = .int(now + settings.refundDuration)
        }
        save(refund, event: "refund.created")
        changeRefunded(charge.id, by: amount)
        if refund.status == "succeeded" {
            move(refund, .refund)
        }
        return refund
    }

    private mutating func move(_ refund: Fields, _ kind: Movement.Kind) {
        move(kind, refund.text("payment_intent"), refund.id, refund.number("amount"), refund.text("currency"))
    }

    private mutating func changeRefunded(_ chargeID: String, by amount: Int) {
        guard var charge = find(.charge, chargeID) else {
            return
        }
        let refunded = charge.number("amount_refunded") + amount
        charge["amount_refunded"] = .int(refunded)
        charge["refunded"] = .bool(refunded == charge.number("amount"))
        save(charge, event: amount > 0 ? "charge.refunded" : "charge.updated")
    }

    /// Changes the status of a refund: `succeeded`, `failed`, `canceled` or `requires_action`. A refund that had
    /// succeeded can only fail. Returns nil if the change is not legal.
    mutating func settleRefund(_ id: String, _ status: String) -> Fields? {
        guard var refund = find(.refund, id) else {
            return nil
        }
        switch (refund.status, status) {
        case ("pending", "succeeded"), ("requires_action", "succeeded"):
            move(refund, .refund)
        case ("pending", "requires_action"):
            break
        case ("pending", "failed"), ("pending", "canceled"), ("requires_action", "failed"),
            ("requires_action", "canceled"):
            changeRefunded(refund.text("charge"), by: -refund.number("amount"))
        case ("succeeded", "failed"):
            move(refund, .refundFailure)
            changeRefunded(refund.text("charge"), by: -refund.number("amount"))
        default:
            return nil
        }
        refund["status"] = .string(status)
        refund["_settle_at"] = nil
        if status == "failed" {
            refund["failure_reason"] = "lost_or_stolen_card"
            refund["failure_balance_transaction"] = .string(nextID("txn_3"))
            save(refund, event: "refund.failed")
        } else {
            save(refund, event: "refund.updated")
        }
        emit("charge.refund.updated", refund)
        return refund
    }

    /// Settles the refunds that are due: a pending one succeeds, and one of `pm_card_refundFail` fails.
    mutating func settleRefunds() {
        for refund in all(.refund) {
            if let due = refund["_settle_at"]?.int, due <= now {
                _ = settleRefund(refund.id, refund.status == "pending" ? "succeeded" : "failed")
            }
        }
    }
}
