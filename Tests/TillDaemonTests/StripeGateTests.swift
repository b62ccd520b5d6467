import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillStripe

@testable import TillDaemon

/// A live key meets nothing of the simulated store, and a ledger no other provider.
@Suite struct StripeGateTests {
    private static func facts(_ mode: StripeKey.Mode) -> StripeGate.Facts {
        var options = StripeOptions()
        options.returnURL = "https://shop.example.org"
        return StripeGate.Facts(
            key: .restricted,
            mode: mode,
            options: options,
            environment: mode == .live ? .production : .sandbox,
            settings: StoreSettings()
        )
    }

    @Test(arguments: [StripeKey.Mode.test, .live])
    func anOrdinaryConfigurationIsAccepted(mode: StripeKey.Mode) {
        #expect(StripeGate.refusal(Self.facts(mode)) == nil)
    }

    private struct Change: Sendable {
        var name: String
        var change: @Sendable (inout StripeGate.Facts) -> Void
        /// Whether it is refused in test mode too.
        var isAlways = false
    }

    private static let changes: [Change] = [
        Change(name: "full key") { $0.key = .secret },
        Change(name: "sandbox") { $0.environment = .sandbox },
        Change(name: "Xcode") { $0.environment = .xcode },
        Change(name: "time rate") { $0.settings.timeRate = .oneHourIsOneDay },
        Change(name: "failing transactions") { $0.settings.failsTransactions = true },
        Change(name: "interruptions") { $0.settings.interruptsPurchases = true },
        Change(name: "failing renewals") { $0.settings.failsRenewals = true },
        Change(name: "no dialogs") { $0.settings.areDialogsDisabled = true },
        Change(name: "clock") { $0.clockOffset = .milliseconds(1) },
        Change(name: "address") { $0.options.address = "https://proxy.example.org" },
        Change(name: "loopback") { $0.options.address = "http://127.0.0.1:1" },
        Change(name: "page on loopback") { $0.options.returnURL = "http://localhost:8080/paid" },
        Change(name: "simulated options", change: { $0.hasSimulatedOptions = true }, isAlways: true),
        Change(name: "no page", change: { $0.options.returnURL = nil }, isAlways: true),
        Change(name: "page without TLS", change: { $0.options.returnURL = "http://shop.example.org" }, isAlways: true),
        Change(name: "page without host", change: { $0.options.returnURL = "https://" }, isAlways: true),
        Change(name: "script as a page", change: { $0.options.returnURL = "javascript:alert(1)" }, isAlways: true),
        Change(name: "secrets alone", change: { $0.options.webhookSecretsFile = "/secrets" }, isAlways: true),
        Change(name: "address without TLS", change: { $0.options.address = "http://10.0.0.1" }, isAlways: true),
    ]

    @Test(arguments: changes.indices)
    func eachOtherIsRefusedWithASentence(index: Int) throws {
        let change = Self.changes[index]
        for mode in [StripeKey.Mode.test, .live] {
            var facts = Self.facts(mode)
            change.change(&facts)
            let refusal = StripeGate.refusal(facts)
            #expect((refusal != nil) == (mode == .live || change.isAlways), "\(change.name) in \(mode) mode")
            #expect(refusal?.hasSuffix(".") ?? true)
        }
    }

    @Test func aFullKeyCanBeAccepted() {
        var facts = Self.facts(.live)
        facts.key = .secret
        facts.options.fullKey = .accept
        #expect(StripeGate.refusal(facts) == nil)
    }

    @Test(arguments: [("4.99", "EUR", true), ("0.00", "EUR", true), ("0.49", "EUR", false), ("5000", "UGX", false)])
    func aPriceIsTakenExactlyOrNamed(amount: String, currency: String, isTaken: Bool) throws {
        let price = Price(amount: try #require(Decimal(string: amount)), currency: currency)
        let product = Product(
            id: "coins",
            type: .consumable,
            displayName: "",
            description: "",
            price: price,
            locale: "en"
        )
        let refusal = StripeGate.refusal([product])
        #expect((refusal == nil) == isTaken)
        #expect(refusal?.contains("coins") ?? true)
    }

    private static let stripe = ProviderIdentity(name: "stripe", mode: "test", account: "acct_1")
    private static let live = ProviderIdentity(name: "stripe", mode: "live", account: "acct_1")
    private static let other = ProviderIdentity(name: "stripe", mode: "test", account: "acct_2")
    private static let unknown = ProviderIdentity(name: "stripe", mode: "test", account: nil)

    @Test(
        arguments: [
            (nil, false, ProviderIdentity.simulated, ProviderBinding.agrees(with: .simulated)),
            (nil, true, .simulated, .agrees(with: .simulated)), (nil, false, stripe, .bind),
            (nil, true, stripe, .belongs(to: .simulated)), (nil, false, unknown, .needsAccount),
            (nil, true, unknown, .belongs(to: .simulated)), (stripe, true, stripe, .agrees(with: stripe)),
            (stripe, false, stripe, .agrees(with: stripe)), (stripe, true, unknown, .agrees(with: stripe)),
            (stripe, true, other, .belongs(to: stripe)), (stripe, false, live, .belongs(to: stripe)),
            (stripe, true, .simulated, .belongs(to: stripe)),
        ] as [(ProviderIdentity?, Bool, ProviderIdentity, ProviderBinding)]
    )
    func aLedgerBelongsToOneProvider(
        stored: ProviderIdentity?,
        hasCharges: Bool,
        own: ProviderIdentity,
        expected: ProviderBinding
    ) {
        #expect(ProviderBinding.decide(stored: stored, hasCharges: hasCharges, own: own) == expected)
    }
}
