import Logging
import StripeStandIn
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// What each error of Stripe's API means for a purchase or a renewal.
@Suite(.timeLimit(.minutes(5))) struct ErrorMappingTests {
    @Test(arguments: [
        ("pm_card_visa_chargeDeclined", "generic_decline", RetrySafety.safe),
        ("pm_card_visa_chargeDeclinedInsufficientFunds", "insufficient_funds", .safe),
        ("pm_card_chargeDeclinedProcessingError", "processing_error", .safe),
        ("pm_card_visa_chargeDeclinedVelocityLimitExceeded", "card_velocity_exceeded", .safe),
        ("pm_card_visa_chargeDeclinedLostCard", "lost_card", .never),
        ("pm_card_visa_chargeDeclinedStolenCard", "stolen_card", .never),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card", .never),
        ("pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", .never),
        ("pm_card_authenticationRequired", "authentication_required", .never),
    ])
    func aDeclinedCard(method: String, code: String, retry: RetrySafety) async throws {
        let error = try await Self.declined(method)
        #expect(error.code == .unknown)
        #expect(error.reason == .providerDeclined)
        #expect(error.moneyMoved == .no)
        #expect(error.providerCode == code)
        #expect(error.retry == retry)
        #expect(error.message.hasSuffix("."))
    }

    @Test func aFraudulentCardLooksLikeAnyOther() async throws {
        let error = try await Self.declined("pm_card_radarBlock")
        #expect(error.providerCode == "card_declined")
        #expect(error.retry == .never)
        #expect(!error.message.lowercased().contains("fraud"))
    }

    private static func declined(_ method: String) async throws -> PaymentError {
        var found: PaymentError?
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: method)
            if case .declined(let error) = await site.provider.charge(request, by: intent) {
                found = error
            }
            #expect(site.object(intent)["status"].string == "canceled")
            #expect(site.charges.count == 1)
        }
        return try #require(found)
    }

    @Test func withoutASavedMethodARenewalFails() async throws {
        try await StripeSite.with { site in
            let first = try await site.purchase()
            let outcome = await site.provider.prepare(StripeSite.request("monthly"), renewing: first)
            #expect(outcome == .declined(.noPaymentMethod))
        }
    }

    @Test(arguments: [
        (49, "EUR"), (100_000_000, "EUR"), (500, "UGX"), (500, "IQD"), (1_001, "KWD"), (0, "EUR"), (-1, "EUR"),
    ])
    func anAmountThatStripeCannotTakeIsInvalid(amount: Int64, currency: String) async throws {
        try await StripeSite.with { site in
            var request = StripeSite.request(amount: amount)
            request.currency = currency
            guard case .declined(let error) = await site.provider.prepare(request, renewing: nil) else {
                Issue.record("It was prepared.")
                return
            }
            #expect(error.code == .paymentInvalid)
            #expect(site.control.requests().isEmpty)
            #expect(site.log[.error].count == 1)
        }
    }

    @Test func anotherRefusalOfTheCreationIsTriedAgain() async throws {
        try await StripeSite.with(returnURL: "") { site in
            guard case .unknown(let reason) = await site.provider.prepare(StripeSite.request(), renewing: nil) else {
                Issue.record("It has an outcome.")
                return
            }
            #expect(reason.contains("success_url"))
            #expect(site.log[.error].count == 1)
        }
    }

    @Test func otherParametersHaveAnotherKey() async throws {
        try await StripeSite.with { site in
            var request = StripeSite.request()
            let first = try await site.prepare(request)
            #expect(try await site.prepare(request) == first)
            request.productID = "monthly"
            #expect(try await site.prepare(request) != first)
        }
    }

    @Test func aRefusalOfTheConfirmationIsLookedAt() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            #expect(await site.provider.charge(request, by: intent) == .succeeded(reference: intent))
            site.control.advance(by: .seconds(90_000))
            #expect(await site.provider.charge(request, by: intent) == .succeeded(reference: intent))
            #expect(site.requests.suffix(2) == ["POST /v1/payment_intents/*/confirm", "GET /v1/payment_intents/*"])
            #expect(site.control.requests().suffix(2).map(\.status) == [400, 200])
        }
    }

    @Test(arguments: [true, false])
    func withoutPermissionNothingIsDeclined(isRevoked: Bool) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            #expect(site.control.pay(session) == .completed)
            if isRevoked {
                site.control.revokeKey(StripeSite.key)
            } else {
                site.control.addKey(StripeSite.key, permissions: ["account_read"])
            }
            let pause = StripeProvider.pauseWithoutPermission
            #expect(await site.provider.prepare(StripeSite.request(), renewing: nil) == .busy(pause))
            #expect(await site.provider.query(request, by: session) == .settled(.busy(pause)))
            #expect(await site.provider.withdraw(request, by: session) == .settled(.busy(pause)))
            #expect(await site.provider.refund(site.refund(of: "pi_x")) == .busy(pause))
            #expect(site.log[.error].count == 4)
            site.control.addKey(StripeSite.key)
            #expect(await site.provider.query(request, by: session) != .settled(.busy(pause)))
        }
    }

    @Test(arguments: [
        Fault(.rateLimit, retryAfter: 7), Fault(.lockTimeout, retryAfter: 7), Fault(.keyInUse, retryAfter: 7),
        Fault(.rateLimit), Fault(.rateLimit, retryAfter: 1 << 40),
    ])
    func aBusyStripeIsAskedAgainLater(fault: Fault) async throws {
        try await StripeSite.with { site in
            let pause = fault.retryAfter.map { Duration.seconds(min($0, 3600)) } ?? .seconds(2)
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            for _ in 0..<5 {
                site.control.addFault(fault)
            }
            #expect(await site.provider.prepare(StripeSite.request(), renewing: nil) == .busy(pause))
            #expect(await site.provider.charge(request, by: intent) == .busy(pause))
            #expect(await site.provider.query(request, by: intent) == .settled(.busy(pause)))
            #expect(await site.provider.withdraw(request, by: intent) == .settled(.busy(pause)))
            #expect(await site.provider.refund(site.refund(of: intent)) == .busy(pause))
            #expect(site.charges.count == 1)
        }
    }

    static let losses: [Fault.Kind] = [
        .error(500, .before), .error(500, .after), .error(502, .before), .error(502, .after), .reset(.before),
        .reset(.after), .truncated,
    ]

    /// Whatever is lost, there is one charge, and it is found.
    @Test(arguments: losses)
    func aLostConfirmationIsLookedAt(kind: Fault.Kind) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            site.control.addFault(Fault(kind, method: "POST", path: "/v1/payment_intents/\(intent)/confirm"))
            guard case .unknown = await site.provider.charge(request, by: intent) else {
                Issue.record("A lost answer has an outcome.")
                return
            }
            if await site.provider.query(request, by: intent) == .ready {
                #expect(await site.provider.charge(request, by: intent) == .succeeded(reference: intent))
            }
            #expect(await site.provider.query(request, by: intent) == .settled(.succeeded(reference: intent)))
            #expect(site.charges.filter { $0.intent == intent }.count == 1)
        }
    }

    @Test(arguments: losses)
    func aLostCreationIsRepeated(kind: Fault.Kind) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            site.control.addFault(Fault(kind, method: "POST", path: "/v1/checkout/sessions"))
            guard case .unknown = await site.provider.prepare(request, renewing: nil) else {
                Issue.record("A lost answer has an outcome.")
                return
            }
            // Stripe answers a key with the same failure for a day.
            let session = try await site.prepare(request)
            #expect(site.control.pay(session) == .completed)
            #expect(
                await site.provider.query(request, by: session)
                    == .settled(.succeeded(reference: site.charges[0].intent))
            )
        }
    }

    @Test(arguments: losses)
    func aLostWithdrawalIsRepeated(kind: Fault.Kind) async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            site.control.addFault(Fault(kind, method: "POST", path: "/v1/checkout/sessions/\(session)/expire"))
            guard case .unreachable = await site.provider.withdraw(request, by: session) else {
                Issue.record("A lost answer has an outcome.")
                return
            }
            #expect(await site.provider.withdraw(request, by: session) == .settled(.declined(.expired)))
        }
    }

    @Test func anUnreachableStripeHasChargedNothing() async throws {
        let api = try StripeAPI(
            address: "http://127.0.0.1:1",
            key: StripeKey(StripeSite.key),
            isProven: true,
            logger: .init(label: "test")
        )
        let configuration = StripeProvider.Configuration(
            ledger: StripeSite.ledger,
            account: "",
            returnURL: "https://shop.example.org",
            product: { _ in nil }
        )
        let provider = StripeProvider(api, configuration, logger: .init(label: "test"))
        guard case .unknown(let reason) = await provider.prepare(StripeSite.request(), renewing: nil) else {
            Issue.record("It has an outcome.")
            return
        }
        #expect(reason.hasPrefix("Stripe cannot be reached"))
        #expect(!reason.contains(StripeSite.key))
    }
}
