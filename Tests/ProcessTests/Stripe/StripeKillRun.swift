import FaultRuns
import Foundation
import ProcessTesting
import StripeStandIn
import TestValues
import TillClient
import TillEngine
import TillModel
import TillSQLite

/// Buys and refunds through a stand-in for Stripe, while the daemon, the stand-in and their calls fail at random.
struct StripeKillRun {
    private static let key = "rk_test_abcdef"
    /// What a payer does with the page.
    private static let methods = [
        "pm_card_visa", "pm_card_visa", "pm_card_visa", "pm_card_visa_chargeDeclined", "pm_card_threeDSecure2Required",
        "pm_bank_debit", "pm_card_refundFail", "pm_card_pendingRefund",
    ]
    private static let faults = [
        "hang", "reset", "kill", "500", "502", "truncated", "late", "slow", "rate_limit", "key_in_use",
    ]
    private static let paths = ["/v1/checkout/sessions", "/v1/payment_intents", "/v1/refunds", "/v1/account", "/v1/"]

    let site: Site
    let stripe: StandInProcess
    private var random: SplitMix64
    private var daemon: ChildProcess
    private let options: [String]
    private(set) var payments: [UUID] = []
    /// The pages that payers were shown: those whose names are in the ledger. A page whose name was lost is shown to nobody.
    private var pages: [UUID: String] = [:]
    private(set) var ends = 0

    init(at site: Site, _ random: SplitMix64) async throws {
        self.site = site
        self.random = random
        stripe = try await StandInProcess(at: site, key: Self.key)
        // Keys are forgotten within a second, as after a day.
        _ = await stripe.control("settings", ["key_seconds": "1", "processing_seconds": "2", "refund_seconds": "2"])
        options = try site.stripe(.test, address: stripe.address)
        daemon = try await site.startServingDaemon(options)
    }

    /// Adds payments, lets payers act and something fail, and starts again what was killed.
    mutating func round() async throws {
        try await plantFault()
        let queue = site.queue(callTimeout: .seconds(2))
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let payment = Payment(productID: TestStore.coins)
            payments.append(payment.id)
            _ = try? await queue.add(payment)
        }
        await letPayersAct()
        await refundSome()
        await Alarm.after(.milliseconds(Int.random(in: 0...400, using: &random)))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try await stripe.restart()
        case 1: break
        default: await daemon.killNow()
        }
        await letPayersAct()
        try await startAgain()
        await queue.close()
    }

    private mutating func plantFault() async throws {
        let kind = Self.faults[Int.random(in: 0..<Self.faults.count, using: &random)]
        let moment = Bool.random(using: &random) ? "before" : "after"
        let path = Self.paths[Int.random(in: 0..<Self.paths.count, using: &random)]
        let skip = Int.random(in: 0...3, using: &random)
        _ = await stripe.control(
            "fault",
            ["kind": kind, "moment": moment, "path": path, "skip": "\(skip)", "seconds": "3"]
        )
    }

    private mutating func letPayersAct() async {
        await showPages()
        let open = Set((await stripe.control("open_sessions"))?.array.compactMap(\.string) ?? [])
        for session in pages.values.sorted() where open.contains(session) {
            guard Int.random(in: 0..<4, using: &random) > 0 else {
                continue
            }
            let method = Self.methods[Int.random(in: 0..<Self.methods.count, using: &random)]
            let result = await stripe.control("pay", ["session": session, "payment_method": method])
            if let intent = result?["intent"].string {
                let succeeds = Bool.random(using: &random)
                _ = await stripe.control("authenticate", ["intent": intent, "succeeds": "\(succeeds)"])
            }
        }
    }

    private mutating func showPages() async {
        let store = TillOperator(site.queue(callTimeout: .seconds(2)).configuration)
        for payment in payments where pages[payment] == nil {
            guard let explanation = try? await store.explanation(ofTransaction: payment) else {
                continue
            }
            if let reference = explanation.charges.compactMap(\.reference).first {
                pages[payment] = reference
            }
        }
        await store.close()
    }

    private mutating func refundSome() async {
        guard Int.random(in: 0..<3, using: &random) == 0, let payment = payments.randomElement(using: &random) else {
            return
        }
        let store = TillOperator(site.queue(callTimeout: .seconds(2)).configuration)
        _ = try? await store.refund(RefundOrder(id: .version7(), transactionID: payment, quantity: 0), because: "test")
        await store.close()
    }

    private mutating func startAgain() async throws {
        if !stripe.isRunning {
            ends += 1
            try await stripe.restart()
        }
        if !daemon.isRunning {
            ends += 1
            daemon = try await site.startServingDaemon(options)
        }
    }

    /// Lets everything end: nothing fails any more, payers pay or the pages expire, and all money arrives.
    mutating func settle() async throws {
        _ = await stripe.control("clear_faults")
        _ = await stripe.control("release")
        try await startAgain()
        let queue = site.queue()
        for id in payments {
            // A payment that was not answered may not have been stored.
            _ = try await queue.add(Payment(id: id, productID: TestStore.coins))
        }
        for id in payments {
            while try await !isSettled(id, queue) {
                await letPayersAct()
                await Alarm.after(.milliseconds(200))
            }
        }
        await queue.close()
        daemon.signal(SIGTERM)
        _ = await daemon.exit()
    }

    private func isSettled(_ id: UUID, _ queue: PaymentQueue) async throws -> Bool {
        let store = TillOperator(queue.configuration)
        let explanation = try await store.explanation(ofTransaction: id)
        await store.close()
        return explanation.transaction.state.isFinal && !explanation.refunds.contains { $0.state == .open }
    }
}
