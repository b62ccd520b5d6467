import Logging
import StripeStandIn
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// What each state of Stripe's objects means for a purchase.
@Suite(.timeLimit(.minutes(5))) struct PurchaseMappingTests {
    @Test func withoutAReferenceNothingCanBeCharged() async throws {
        try await StripeSite.with { site in
            site.control.addFault(Fault(.reset(.after), path: "/v1/checkout/sessions"))
            guard case .unknown = await site.provider.prepare(StripeSite.request(), renewing: nil) else {
                Issue.record("The lost answer has an outcome.")
                return
            }
            #expect(site.control.movements().isEmpty)
        }
    }

    @Test func anIntentThatRequiresConfirmationMayBeCharged() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            #expect(site.object(intent)["status"].string == "requires_confirmation")
            #expect(await site.provider.query(request, by: intent) == .ready)
            #expect(site.charges.count == 1)
        }
    }

    @Test func anIntentThatSucceededIsPurchased() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            #expect(await site.provider.charge(request, by: intent) == .succeeded(reference: intent))
            #expect(await site.provider.charge(request, by: intent) == .succeeded(reference: intent))
            #expect(await site.provider.query(request, by: intent) == .settled(.succeeded(reference: intent)))
            #expect(site.charges.map(\.intent).filter { $0 == intent }.count == 1)
            #expect(site.log[.critical].isEmpty)
        }
    }

    @Test(arguments: [("amount_received", 498 as JSON), ("currency", "usd")])
    func anotherAmountIsPurchasedAndNeedsAttention(field: String, value: JSON) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            #expect(site.control.pay(session) == .completed)
            let intent = try #require(site.object(session)["payment_intent"].string)
            try site.control.overwrite(intent, field, value)
            #expect(await site.provider.query(request, by: session) == .settled(.succeeded(reference: intent)))
            #expect(site.log[.critical].count == 1)
        }
    }

    @Test func thePageOfAnOpenSessionIsShownToItsPayer() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            let page = try #require(site.object(session)["url"].string)
            #expect(try await site.provider.payerPage(request, by: session) == page)
            #expect(await site.pageError(StripeSite.request(), session) == .failedPrecondition)
            site.control.addFault(Fault(.reset(.before), path: "/v1/checkout/sessions/\(session)", count: 9))
            #expect(await site.pageError(request, session) == .unavailable)
            site.control.clearFaults()
            #expect(site.control.pay(session) == .completed)
            #expect(await site.pageError(request, session) == .failedPrecondition)
            #expect(site.log.all.allSatisfy { !$0.contains(page) })
        }
    }

    @Test func anIntentThatRequiresActionWaitsForItsPayer() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            guard
                case .authenticationRequired(let intent) = site.control.pay(
                    session,
                    with: "pm_card_threeDSecure2Required"
                )
            else {
                Issue.record("The card needs no authentication.")
                return
            }
            #expect(await site.provider.query(request, by: session) == .settled(.payerAction))
            #expect(site.control.authenticate(intent) == .completed)
            #expect(await site.provider.query(request, by: session) == .settled(.succeeded(reference: intent)))
        }
    }

    @Test func anIntentThatIsProcessingIsPending() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_bank_debit")
            #expect(await site.provider.charge(request, by: intent) == .pending)
            #expect(await site.provider.withdraw(request, by: intent) == .settled(.pending))
            site.control.advance(by: .seconds(4 * 86_400))
            #expect(await site.provider.query(request, by: intent) == .settled(.succeeded(reference: intent)))
        }
    }

    @Test func anIntentWhoseCardWasDeclinedIsCancelledBeforeItFails() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa_chargeDeclined")
            site.control.addFault(Fault(.error(500, .before), path: "/v1/payment_intents/\(intent)/cancel"))
            guard case .unknown = await site.provider.charge(request, by: intent) else {
                Issue.record("It failed before its intent was cancelled.")
                return
            }
            #expect(site.object(intent)["status"].string == "requires_payment_method")
            guard case .settled(.declined(let error)) = await site.provider.query(request, by: intent) else {
                Issue.record("It did not fail.")
                return
            }
            #expect(site.object(intent)["status"].string == "canceled")
            #expect(error.providerCode == "generic_decline")
        }
    }

    @Test func anIntentThatWasCancelledHasFailed() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            #expect(await site.provider.withdraw(request, by: intent) == .settled(.declined(.withdrawn)))
            #expect(await site.provider.charge(request, by: intent) == .declined(.withdrawn))
            #expect(site.charges.count == 1)
        }
    }

    @Test func anOpenSessionWaitsForItsPayer() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            #expect(await site.provider.charge(request, by: session) == .payerAction)
            // A decline on the page is not final.
            #expect(site.control.pay(session, with: "pm_card_visa_chargeDeclined") == .declined("generic_decline"))
            #expect(await site.provider.query(request, by: session) == .settled(.payerAction))
            #expect(site.control.pay(session) == .completed)
        }
    }

    @Test func aSessionThatIsPaidIsPurchasedAndNamesItsIntent() async throws {
        try await StripeSite.with { site in
            let intent = try await site.purchase()
            #expect(intent.hasPrefix("pi_"))
            #expect(site.charges.map(\.intent) == [intent])
            #expect(site.charges.map(\.amount) == [499])
        }
    }

    @Test(arguments: [true, false])
    func aSessionThatIsUnpaidIsPendingUntilTheMoneyArrives(arrives: Bool) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            #expect(site.control.pay(session, with: "pm_bank_debit") == .processing)
            #expect(await site.provider.query(request, by: session) == .settled(.pending))
            let intent = try #require(site.object(session)["payment_intent"].string)
            try site.control.completePayment(intent, succeeds: arrives)
            let status = await site.provider.query(request, by: session)
            if arrives {
                #expect(status == .settled(.succeeded(reference: intent)))
            } else {
                guard case .settled(.declined) = status else {
                    Issue.record("\(status)")
                    return
                }
                #expect(site.object(intent)["status"].string == "canceled")
            }
        }
    }

    /// As with a voucher, which the payer takes to a shop.
    @Test func aSessionWhosePayerPaysElsewhereIsPending() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            #expect(site.control.pay(session, with: "pm_bank_debit") == .processing)
            let intent = try #require(site.object(session)["payment_intent"].string)
            try site.control.overwrite(intent, "status", "requires_action")
            #expect(await site.provider.query(request, by: session) == .settled(.pending))
            #expect(site.object(intent)["status"].string == "requires_action")
        }
    }

    @Test func aSessionThatExpiredHasFailed() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            site.control.advance(by: .seconds(3600 + 600))
            #expect(await site.provider.query(request, by: session) == .settled(.declined(.expired)))
            #expect(PaymentError.expired.reason == .expired)
        }
    }

    @Test func aPayerWhoLeavesThePageCanStillPay() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            #expect(throws: ControlError.self) { try site.control.leave(session) }
            #expect(await site.provider.query(request, by: session) == .settled(.payerAction))
        }
    }

    /// At the deadline, or because the payment was cancelled.
    @Test(arguments: [
        nil, "pm_card_visa", "pm_bank_debit", "pm_card_threeDSecure2Required", "pm_card_visa_chargeDeclined",
    ])
    func aWithdrawnSessionIsFailedOrPurchased(method: String?) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            if let method {
                _ = site.control.pay(session, with: method)
            }
            let status = await site.provider.withdraw(request, by: session)
            switch method {
            case "pm_card_visa":
                #expect(status == .settled(.succeeded(reference: site.charges[0].intent)))
            case "pm_bank_debit":
                #expect(status == .settled(.pending))
            default:
                #expect(status == .settled(.declined(.expired)))
                #expect(site.control.pay(session) == .unavailable("The session is not open."))
                #expect(site.charges.isEmpty)
            }
            #expect(await site.provider.query(request, by: session) == status)
        }
    }

    @Test func anObjectOfAnotherPaymentIsNoAnswer() async throws {
        try await StripeSite.with { site in
            let session = try await site.prepare(StripeSite.request())
            guard case .unreachable = await site.provider.query(StripeSite.request(), by: session) else {
                Issue.record("The session of another payment was believed.")
                return
            }
        }
    }

    /// It may be in the other mode, or the key may be of another account: it may have been charged all the same.
    @Test(arguments: ["cs_test_unknown", "pi_unknown"])
    func anObjectThatStripeDoesNotFindMayHaveBeenCharged(reference: String) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            guard case .unreachable = await site.provider.query(request, by: reference),
                case .unreachable = await site.provider.withdraw(request, by: reference),
                case .unknown = await site.provider.charge(request, by: reference)
            else {
                Issue.record("A missing object was taken for one that was not charged.")
                return
            }
        }
    }

    @Test(arguments: ["status", "payment_status", "payment_intent", "client_reference_id", "id"])
    func anUndocumentedAnswerIsNoOutcome(field: String) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            #expect(site.control.pay(session) == .completed)
            for value in ["surprise", 7, nil, [], [:]] as [JSON] {
                try site.control.overwrite(session, field, value)
                switch await site.provider.query(request, by: session) {
                case .unreachable, .settled(.succeeded): break
                case let status: Issue.record("\(field) \(value.text): \(status)")
                }
            }
        }
    }
}

extension StripeSite {
    /// The code of the error instead of a page; nil if there is a page.
    fileprivate func pageError(_ request: ChargeRequest, _ reference: String) async -> TillError.Code? {
        do throws(TillError) {
            _ = try await provider.payerPage(request, by: reference)
            return nil
        } catch {
            return error.code
        }
    }
}
