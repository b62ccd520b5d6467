import TillEngine
import TillModel

/// Declined cards, and banks that want the payer to confirm.
extension Check {
    static let declines = DeclinedCard.all.map(declined) + DeclinedCard.all.map(tillDeclined)

    static let authentication = [withPayer] + AuthenticatedCard.all.map(withoutPayer)

    private static func declined(_ card: DeclinedCard) -> Check {
        Check("declined:\(card.method)", "The card \(card.method) is declined, and the payment stays open.") { run in
            let intent = try await run.prepare(card.method)
            let declined = try await run.confirm(intent)
            run.expect(
                declined,
                402,
                [
                    "error.type": "card_error", "error.code": .text(card.code),
                    "error.payment_intent.id": .text(intent),
                    "error.payment_intent.status": "requires_payment_method",
                    "error.payment_intent.last_payment_error.code": .text(card.code),
                ]
            )
            if let code = card.declineCode {
                run.expect(declined, 402, ["error.decline_code": .text(code)])
            }
            run.expect(
                try await run.get("\(CheckRun.intents)/*", intent, [("expand[]", "latest_charge")]),
                200,
                [
                    "status": "requires_payment_method", "amount_received": 0,
                    "last_payment_error.code": .text(card.code), "latest_charge.status": "failed",
                ]
            )
            run.expect(try await run.cancel(intent), 200, ["status": "canceled"])
        }
    }

    private static func tillDeclined(_ card: DeclinedCard) -> Check {
        Check("till-declined:\(card.method)", "Till cancels a charge of \(card.method), and names the reason.") { run in
            let request = run.account.request()
            let intent = try await run.prepare(card.method, [("metadata[till_payment]", request.paymentID.text)])
            let error = try run.declined("charge", await run.account.provider.charge(request, by: intent))
            run.expect("charge: retry", error.retry, card.retry)
            run.expect("charge: code of the provider", error.providerCode, card.providerCode)
            run.expect("charge: money moved", error.moneyMoved, .no)
            run.expect(try await run.get("\(CheckRun.intents)/*", intent), 200, ["status": "canceled"])
        }
    }

    private static let withPayer = Check("on-session", "A bank asks the payer to confirm on its page.") { run in
        let intent = try await run.post(
            CheckRun.intents,
            "",
            [
                ("amount", "500"), ("currency", "eur"), ("payment_method", "pm_card_threeDSecure2Required"),
                ("automatic_payment_methods[enabled]", "true"), ("confirm", "true"),
                ("return_url", ConformanceAccount.returnURL),
            ]
        )
        run.expect(
            intent,
            200,
            [
                "status": "requires_action", "next_action.type": "redirect_to_url",
                "next_action.redirect_to_url.url": .prefix("http"),
                "next_action.redirect_to_url.return_url": .text(ConformanceAccount.returnURL),
            ]
        )
        run.expect(try await run.cancel(run.id(of: intent)), 200, ["status": "canceled"])
    }

    private static func withoutPayer(_ card: AuthenticatedCard) -> Check {
        let result = card.statusWithoutPayer.map { "becomes \($0)" } ?? "is declined"
        return Check("off-session:\(card.method)", "Without the payer, a payment with \(card.method) \(result).") {
            run in
            let intent = try await run.prepare(card.method)
            let answer = try await run.confirm(intent, [("off_session", "true")])
            if let status = card.statusWithoutPayer {
                run.expect(answer, 200, ["status": .text(status)])
                return
            }
            run.expect(
                answer,
                402,
                [
                    "error.decline_code": .text(card.declineCode ?? ""),
                    "error.payment_intent.status": "requires_payment_method",
                ]
            )
            run.expect(try await run.cancel(intent), 200, ["status": "canceled"])
        }
    }
}

extension CheckRun {
    /// The error of an outcome that is declined.
    ///
    /// - Throws: ``Stop`` for any other outcome.
    func declined(_ what: String, _ outcome: ChargeOutcome) throws -> PaymentError {
        guard case .declined(let error) = outcome else {
            note(what, expected: "declined", got: "\(outcome)")
            throw Stop()
        }
        return error
    }
}
