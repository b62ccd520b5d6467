import FoundationEssentials
import StripeStandIn
import Synchronization
import Testing
import TillEngine
import TillModel

@testable import TillStripe

/// What is sent to Stripe, and how often.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    @Test func aPageIsForExactlyThePurchase() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request(quantity: 3)
            _ = try await site.prepare(request)
            let sent = try #require(site.control.requests().first?.parameters)
            #expect(
                sent == [
                    "mode": "payment", "client_reference_id": request.paymentID.text, "line_items[0][quantity]": "1",
                    "line_items[0][price_data][currency]": "eur", "line_items[0][price_data][unit_amount]": "499",
                    "line_items[0][price_data][product_data][name]": "3 × 100 coins",
                    "payment_intent_data[metadata][till_payment]": request.paymentID.text,
                    "payment_intent_data[metadata][till_ledger]": StripeSite.ledger.text,
                    "metadata[till_ledger]": StripeSite.ledger.text, "expires_at": "1800003600",
                    "success_url": "https://shop.example.org/paid", "adaptive_pricing[enabled]": "false",
                    "allow_promotion_codes": "false", "expand[0]": "payment_intent",
                ]
            )
        }
    }

    /// Neither the account's name nor the application's.
    @Test func stripeLearnsNoNameOfTheUser() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly")
            let intent = try await site.renewal(request, with: "pm_card_visa")
            _ = await site.provider.charge(request, by: intent)
            _ = await site.provider.refund(site.refund(of: intent))
            let sent = site.control.requests().flatMap { $0.parameters.values }
            #expect(sent.count > 30)
            #expect(!sent.contains { $0.contains(request.account) || $0.contains(request.application) })
        }
    }

    @Test func aSubscriptionKeepsThePaymentMethodForItsRenewals() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request("monthly", amount: 999)
            let intent = try await site.renewal(request, with: "pm_card_mastercard")
            #expect(await site.provider.charge(request, by: intent) == .succeeded(reference: intent))
            let create = try #require(site.control.requests().last { $0.path == "/v1/payment_intents" })
            #expect(create.parameters["payment_method"] == "pm_card_mastercard")
            #expect(create.parameters["metadata[till_payment]"] == request.paymentID.text)
            let confirm = try #require(site.control.requests().last { $0.path.hasSuffix("/confirm") })
            #expect(confirm.parameters == ["off_session": "true"])
            #expect(site.charges.map(\.amount) == [499, 999])
        }
    }

    /// The payment method of the payment before, unless its customer has chosen another.
    @Test func aRenewalIsPaidAsThePaymentBefore() async throws {
        try await StripeSite.with { site in
            let first = try await site.purchase(StripeSite.request("monthly"))
            let request = StripeSite.request("monthly")
            let intent = try await site.prepare(request, renewing: first)
            #expect(site.object(intent)["payment_method"] == site.object(first)["payment_method"])
            #expect(await site.provider.charge(request, by: intent) == .succeeded(reference: intent))
        }
    }

    @Test func aProductThatIsGoneKeepsItsIdentity() async throws {
        try await StripeSite.with { site in
            _ = try await site.prepare(StripeSite.request("gone"))
            let sent = try #require(site.control.requests().first?.parameters)
            #expect(sent["line_items[0][price_data][product_data][name]"] == "gone")
        }
    }

    @Test func eachCallHasTheVersionAndTheFewestRequests() async throws {
        try await StripeSite.with { site in
            let request = StripeSite.request()
            let session = try await site.prepare(request)
            _ = await site.provider.charge(request, by: session)
            #expect(site.control.pay(session) == .completed)
            _ = await site.provider.query(request, by: session)
            #expect(
                site.requests == [
                    "POST /v1/checkout/sessions", "GET /v1/checkout/sessions/*", "GET /v1/checkout/sessions/*",
                ]
            )
        }
    }

    @Test(arguments: [
        ("a b&c=d", "a%20b%26c%3Dd"), ("é×\u{0}", "%C3%A9%C3%97%00"), ("Az09-._~", "Az09-._~"), ("[]", "%5B%5D"),
    ])
    func aFieldIsEncoded(text: String, encoded: String) {
        #expect(StripeCall.get("/v1/x", "", [("n", text)]).form == "n=\(encoded)")
        #expect(StripeCall.get("/v1/x/*", text).path == "/v1/x/\(encoded)")
        #expect(StripeCall.get("/v1/x/*", text).endpoint == "GET /v1/x/*")
    }

    @Test func aReplacedKeyIsUsedAtOnce() async throws {
        try await StripeSite.with { site in
            site.control.addKey("rk_test_second")
            site.control.revokeKey(StripeSite.key)
            let first = try StripeKey(StripeSite.key)
            await #expect(throws: TillError.self) { try await site.api.accountID(of: first) }
            let second = try StripeKey("rk_test_second")
            #expect(try await site.api.accountID(of: second) == site.control.settings.account)
            site.api.use(second)
            _ = try await site.prepare(StripeSite.request())
        }
    }

    /// The ledger would keep it.
    @Test func anAccountWhoseIDNoLedgerCanKeepIsUnknown() async throws {
        try await StripeSite.with { site in
            site.control.addKey("rk_test_second", account: "acct_\u{0}")
            let key = try StripeKey("rk_test_second")
            let error = await #expect(throws: TillError.self) { try await site.api.accountID(of: key) }
            #expect(error?.code == .unavailable && error?.message.contains("U+0000") == true)
        }
    }
}

@Suite struct StripeKeyTests {
    @Test(arguments: [
        ("sk_test_abc", StripeKey.Kind.secret, StripeKey.Mode.test), ("sk_live_abc", .secret, .live),
        ("rk_test_a_b", .restricted, .test), ("rk_live_0", .restricted, .live),
    ])
    func aKeySaysWhatItIs(text: String, kind: StripeKey.Kind, mode: StripeKey.Mode) throws {
        let key = try StripeKey(text)
        #expect(key.kind == kind)
        #expect(key.mode == mode)
        #expect(!"\(key) \(String(reflecting: key)) \(Mirror(reflecting: key).children.count)".contains("abc"))
    }

    @Test(arguments: [
        "", "sk", "sk_test", "pk_test_abc", "pk_live_abc", "whsec_abc", "sk_prod_abc", "sk_test_a b",
        "sk_test_é", "sk_test_a\n\n", " sk_test_a", "SK_test_a", "sk_live_" + String(repeating: "a", count: 255),
    ])
    func anotherTextIsRefusedWithoutRepeatingIt(text: String) {
        let error = #expect(throws: TillError.self) { try StripeKey(text) }
        #expect(text.utf8.count < 8 || error?.message.contains(text) == false)
        #expect(throws: TillError.self) { try StripeKey("sk_test_") }
    }
}

@Suite struct RequestPaceTests {
    private final class Clock: TimeSource {
        private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

        func now() -> Date { date.withLock(\.self) }

        func set(_ seconds: Double) {
            date.withLock { $0 = Date(timeIntervalSince1970: 1_800_000_000 + seconds) }
        }

        func sleep(for duration: Duration) async throws {}
    }

    /// The greatest number of calls that were sent in one second of a minute in which one comes each millisecond.
    ///
    /// - Parameter endpoints: The number of endpoints that share one limit; nil for one with its own.
    private static func peak(isUrgent: Bool, endpoints: Int? = nil) -> Int {
        let clock = Clock()
        let pace = RequestPace(time: clock, isShared: endpoints != nil)
        var sent: [Double] = []
        for millisecond in 0..<60_000 {
            clock.set(Double(millisecond) / 1000)
            var call = StripeCall.get("/v1/\(millisecond % (endpoints ?? 1))")
            call.isUrgent = isUrgent
            if case .send(let wait) = pace.admit(call) {
                sent.append(Double(millisecond) / 1000 + wait / .seconds(1))
            }
        }
        return sent.indices.map { index in sent[index...].prefix { $0 < sent[index] + 1 }.count }.max() ?? 0
    }

    @Test(arguments: [true, false])
    func noSecondHasMoreCallsThanStripeAllows(isUrgent: Bool) {
        #expect((15...24).contains(Self.peak(isUrgent: isUrgent)))
        #expect((15...24).contains(Self.peak(isUrgent: isUrgent, endpoints: 7)))
    }

    /// 10,000 renewals come at once, and come again when they are told to: all are sent, and no purchase waits for long.
    @Test func renewalsYieldToPurchases() {
        let clock = Clock()
        let pace = RequestPace(time: clock)
        var renewal = StripeCall.post("/v1/payment_intents")
        renewal.isUrgent = false
        let purchase = StripeCall.post("/v1/payment_intents")
        var due = Array(repeating: 0.0, count: 10_000)
        var waits: [Double] = []
        var refusals = 0
        var second = 0.0
        while !due.isEmpty, second < 3600 {
            clock.set(second)
            due = due.compactMap { date in
                guard date <= second else {
                    return date
                }
                switch pace.admit(renewal) {
                case .send: return nil
                case .refuse(let pause):
                    refusals += 1
                    return second + pause / .seconds(1)
                }
            }
            if Int(second * 10).isMultiple(of: 5) {
                switch pace.admit(purchase) {
                case .send(let wait): waits.append(wait / .seconds(1))
                case .refuse: waits.append(.infinity)
                }
            }
            second += 0.1
        }
        #expect(due.isEmpty)
        #expect(second < 700)
        #expect(waits.max() ?? 0 < 0.1)
        #expect(refusals < 15 * 10_000)
    }
}
