import Foundation
import StoreKitTest
import Testing

@Suite(.timeLimit(.minutes(10))) struct SettingsTests {
    /// A setting that can be compared.
    struct Knob: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: String
        var after: String
        var read: @Sendable (SKTestSession) -> String
        var change: @Sendable (SKTestSession) -> Void

        init<Value: Sendable>(
            _ name: String,
            _ path: any ReferenceWritableKeyPath<SKTestSession, Value> & Sendable,
            from before: Value,
            to after: Value
        ) {
            testDescription = name
            self.before = "\(before)"
            self.after = "\(after)"
            read = { "\($0[keyPath: path])" }
            change = { $0[keyPath: path] = after }
        }
    }

    static let knobs = [
        Knob("askToBuyEnabled", \.askToBuyEnabled, from: false, to: true),
        Knob("disableDialogs", \.disableDialogs, from: false, to: true),
        Knob("failTransactionsEnabled", \.failTransactionsEnabled, from: false, to: true),
        Knob("failureError", \.failureError, from: SKError.Code.unknown, to: .invalidSignature),
        Knob("interruptedPurchasesEnabled", \.interruptedPurchasesEnabled, from: false, to: true),
        Knob("shouldEnterBillingRetryOnRenewal", \.shouldEnterBillingRetryOnRenewal, from: false, to: true),
        Knob("billingGracePeriodIsEnabled", \.billingGracePeriodIsEnabled, from: false, to: true),
        Knob("storefront", \.storefront, from: "USA", to: "DEU"),
        Knob("locale", \.locale, from: Locale(identifier: "en_US"), to: Locale(identifier: "de_DE")),
        Knob("timeRate", \.timeRate, from: SKTestSession.TimeRate.realTime, to: .oneRenewalEveryTwoSeconds),
    ]

    @Test(arguments: knobs) func aSettingTakesEffectImmediately(_ knob: Knob) throws {
        let session = try Store.session()
        #expect(knob.read(session) == knob.before)
        knob.change(session)
        #expect(knob.read(session) == knob.after)
        session.resetToDefaultState()
        #expect(knob.read(session) == knob.before)
    }

    @Test(arguments: knobs) func aSettingOutlivesTheServerAndItsTransactions(_ knob: Knob) throws {
        let session = try Store.session()
        try session.killServer()
        knob.change(session)
        #expect(knob.read(session) == knob.after)
        try session.restartServer()
        #expect(knob.read(session) == knob.after)
        session.clearTransactions()
        #expect(knob.read(session) == knob.after)
        try session.killServer()
        session.resetToDefaultState()
        try session.restartServer()
        #expect(knob.read(session) == knob.before)
    }

    @Test func resettingKeepsTransactions() throws {
        let session = try Store.session()
        _ = try session.bought(Store.coins)
        session.resetToDefaultState()
        #expect(session.summary == ["coins10 purchased"])
    }

    @Test func anInvalidStorefrontIsIgnored() throws {
        let session = try Store.session()
        session.storefront = "Germany"
        #expect(session.storefront == "USA")
    }

    @Test(arguments: SKTestSession.TimeRate.allCases) func everyRateMatchesTheStores(_ rate: SKTestSession.TimeRate)
        throws
    {
        let session = try Store.session()
        session.timeRate = rate
        #expect(session.timeRate == rate)
    }

    @Test func failingPaymentsFailWithTheError() throws {
        let session = try Store.session()
        session.failTransactionsEnabled = true
        session.failureError = .invalidOfferPrice
        expect(.invalidAction) { try session.buyProduct(productIdentifier: Store.coins) }
        #expect(session.summary == ["coins10 failed"])
    }
}
