import TillEngine
import TillModel

/// Till's own calls for renewals.
extension Check {
    static let renewals = [
        Check("renewal", "A renewal is paid once with the payment method of the payment before.") { run in
            let (_, payment) = try await run.savedPayment()
            let request = run.account.request(ConformanceAccount.subscription)
            let intent = try await run.prepare(request, renewing: payment)
            let found = try await run.get("\(CheckRun.intents)/*", intent)
            run.expect(
                found,
                200,
                [
                    "status": "requires_confirmation", "amount": 499, "currency": "eur",
                    "metadata.till_payment": .text(request.paymentID.text),
                    "metadata.till_ledger": .text(run.account.ledger.text),
                ]
            )
            let paid = try await run.get("\(CheckRun.intents)/*", payment)
            run.expect("renewal: payment method", found["payment_method"], paid["payment_method"])
            run.expect("renewal: customer", found["customer"], paid["customer"])
            let provider = run.account.provider
            for what in ["charge", "charge, again"] {
                run.expect(what, await provider.charge(request, by: intent), .succeeded(reference: intent))
            }
            let status = await provider.query(request, by: intent)
            run.expect("query", status, .settled(.succeeded(reference: intent)))
            // It was charged, so that it cannot be withdrawn.
            run.expect("withdraw", await provider.withdraw(request, by: intent), status)
        },
        Check("renewal-default-method", "A renewal is paid with the customer's default payment method.") { run in
            let (customer, payment) = try await run.savedPayment()
            let method = try await run.attach("pm_card_mastercard", to: customer)
            try await run.setDefault(method, of: customer)
            let request = run.account.request(ConformanceAccount.subscription)
            let intent = try await run.prepare(request, renewing: payment)
            run.expect(try await run.get("\(CheckRun.intents)/*", intent), 200, ["payment_method": .text(method)])
            let outcome = await run.account.provider.charge(request, by: intent)
            run.expect("charge", outcome, .succeeded(reference: intent))
        },
        Check("renewal-declined", "A renewal with a saved card that is declined may be tried again.") { run in
            let error = try await run.declinedRenewal("pm_card_chargeCustomerFail")
            run.expect("charge: retry", error.retry, .safe)
        },
        Check("renewal-authentication", "A renewal that the payer would have to confirm is not tried again.") { run in
            let error = try await run.declinedRenewal("pm_card_authenticationRequired")
            run.expect("charge: retry", error.retry, .never)
            run.expect("charge: code of the provider", error.providerCode, "authentication_required")
        },
        Check("renewal-without-method", "A renewal without a saved payment method is not prepared.") { run in
            let payment = try await run.pay()
            let request = run.account.request(ConformanceAccount.subscription)
            let preparation = await run.account.provider.prepare(request, renewing: payment)
            guard case .declined(let error) = preparation else {
                return run.note("prepare", expected: "declined", got: "\(preparation)")
            }
            run.expect("prepare: code", error.code, .clientInvalid)
        },
        Check("renewal-withdrawn", "A renewal that was not charged is withdrawn for good.") { run in
            let (_, payment) = try await run.savedPayment()
            let request = run.account.request(ConformanceAccount.subscription)
            let intent = try await run.prepare(request, renewing: payment)
            for what in ["withdraw", "withdraw, again"] {
                guard case .settled(.declined) = await run.account.provider.withdraw(request, by: intent) else {
                    return run.note(what, expected: "declined", got: "another outcome")
                }
            }
            _ = try run.declined("charge", await run.account.provider.charge(request, by: intent))
            run.expect(try await run.get("\(CheckRun.intents)/*", intent), 200, ["status": "canceled"])
        },
    ]
}

extension CheckRun {
    /// Makes a customer with a payment that saves its card.
    func savedPayment() async throws -> (customer: String, payment: String) {
        let customer = try await customer()
        let fields = [("customer", customer), ("setup_future_usage", "off_session")]
        return (customer, try await pay("pm_card_visa", fields))
    }

    /// Lets Till prepare a charge, and returns its reference.
    func prepare(_ request: ChargeRequest, renewing payment: String?) async throws -> String {
        let preparation = await account.provider.prepare(request, renewing: payment)
        guard case .ready(let reference) = preparation else {
            note("prepare", expected: "ready", got: "\(preparation)")
            throw Stop()
        }
        return reference
    }

    /// Lets Till renew with a saved card that is declined, and returns what Till tells the application.
    fileprivate func declinedRenewal(_ card: String) async throws -> PaymentError {
        let (customer, payment) = try await savedPayment()
        try await setDefault(try await attach(card, to: customer), of: customer)
        let request = account.request(ConformanceAccount.subscription)
        let intent = try await prepare(request, renewing: payment)
        let error = try declined("charge", await account.provider.charge(request, by: intent))
        expect(try await get("\(Self.intents)/*", intent), 200, ["status": "canceled"])
        return error
    }
}
