import Foundation
import Logging
import StripeStandIn
import TestValues
import Testing
import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

@testable import TillStripe

/// The same refunds and disputes at Stripe leave the same books, however Stripe tells of them.
@Suite(.timeLimit(.minutes(60))) struct ReversalRunTests {
    /// How many shops are run; the first has the seed `TILL_TEST_SEED`.
    static let rounds = ProcessInfo.processInfo.environment["TILL_STRIPE_NEWS_ROUNDS"].flatMap(Int.init) ?? 1
    static let seed = ProcessInfo.processInfo.environment["TILL_TEST_SEED"].flatMap(UInt64.init) ?? 1

    /// With 39, a sweep sees a refund of everything before it sees that the dispute is won which held the purchase.
    @Test(arguments: [39] + Array(seed..<seed + UInt64(rounds)))
    func theBooksAreTheSameHoweverEventsArrive(seed: UInt64) async throws {
        let prompt = try await ReversalRun(seed: seed).books { _ in }
        let ways: [(String, @Sendable (inout Settings) -> Void)] = [
            ("twice", { $0.events.areDuplicated = true }),
            ("in another order", { $0.events.areDisordered = true }),
            ("three days late", { $0.events.delay = 3 * 86_400 }),
            ("never", { $0.events.droppedTypes = ["*"] }),
        ]
        for (way, configure) in ways {
            let books = try await ReversalRun(seed: seed).books(configure)
            #expect(books == prompt, "seed \(seed), events come \(way)")
        }
    }
}

/// A shop whose payments are refunded and disputed at Stripe, by a merchant and by banks that a seed decides about.
private struct ReversalRun {
    /// What is left of a payment in the end.
    struct Book: Hashable {
        var returned: Int64
        /// How much of the purchase is revoked; nil if nothing is.
        var revoked: Int?
        var openReviews: Int
    }

    static let queue = QueueName(application: "org.example.notes", account: "uid:1000")
    static let payments = 4
    static let steps = 16

    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Runs the shop, and compares its books with Stripe's.
    func books(_ configure: @escaping @Sendable (inout Settings) -> Void) async throws -> [Book] {
        let time = VirtualTime()
        return try await StripeSite.with(configure, time: time) { site in
            let shop = Shop(site, time)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await shop.engine.run() }
                defer { shop.engine.stop() }
                var run = self
                let payments = try await shop.buy(Self.payments)
                for _ in 0..<Self.steps {
                    try run.change(payments.randomElement(using: &run.random)?.intent ?? "", site)
                    try await shop.advance(by: [60, 3_600, 86_400].randomElement(using: &run.random) ?? 60)
                }
                // By then a sweep has seen everything, and late events are there.
                for _ in 0..<10 {
                    try await shop.advance(by: 43_200)
                }
                let books = try await shop.books(of: payments)
                #expect(try await shop.agrees(), "the ledger and Stripe's record agree")
                shop.engine.stop()
                try await group.waitForAll()
                return books
            }
        }
    }

    /// What the merchant or a bank does to a payment. Stripe refuses what is not possible.
    private mutating func change(_ intent: String, _ site: StripeSite) throws {
        let disputes = site.control.disputes(of: intent)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = try? site.control.refundInDashboard(intent, amount: Int.random(in: 1...300, using: &random))
        case 1: _ = try? site.control.refundInDashboard(intent)
        case 2 where disputes.isEmpty:
            _ = try site.control.openDispute(intent, isInquiry: Bool.random(using: &random))
        case 3: disputes.forEach { try? site.control.escalateDispute($0) }
        case 4: disputes.forEach { try? site.control.closeDispute($0, "lost") }
        default:
            let end = ["won", "warning_closed"].randomElement(using: &random) ?? "won"
            disputes.forEach { try? site.control.closeDispute($0, end) }
        }
    }
}

/// An engine that charges at a stand-in for Stripe, whose clocks move together.
private struct Shop {
    let site: StripeSite
    let engine: PaymentEngine
    let ledger = MemoryLedger()
    let time: VirtualTime

    init(_ site: StripeSite, _ time: VirtualTime) {
        self.site = site
        self.time = time
        engine = PaymentEngine(
            ledger: ledger,
            catalogue: TestCatalogue(),
            provider: site.provider,
            receipts: PlainSigner(),
            configuration: EngineConfiguration(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            time: time
        )
    }

    /// Buys and pays, and returns the payments with their names at Stripe.
    func buy(_ count: Int) async throws -> [(id: UUID, intent: String)] {
        var bought: [(id: UUID, intent: String)] = []
        for _ in 0..<count {
            let payment = Payment(productID: "coins")
            _ = try await engine.addPayment(payment, to: ReversalRun.queue)
            var charge = try await charge(for: payment.id)
            while charge?.reference == nil {
                try await tick()
                charge = try await self.charge(for: payment.id)
            }
            #expect(site.control.pay(charge?.reference ?? "") == .completed)
            while charge?.state != .succeeded {
                try await tick()
                charge = try await self.charge(for: payment.id)
            }
            bought.append((payment.id, charge?.reference ?? ""))
        }
        return bought
    }

    private func charge(for id: UUID) async throws -> ChargeRecord? {
        try await ledger.read { try $0.charge(forTransaction: $0.transaction(id)?.key ?? 0) }
    }

    /// Moves both clocks, and lets the engine read all news by then.
    func advance(by seconds: Int) async throws {
        site.control.advance(by: .seconds(seconds))
        time.advance(by: Double(seconds))
        let now = Int64(time.now().timeIntervalSince1970)
        while true {
            let text = try await ledger.read { try $0.settings()["provider-news"] }
            let cursor = text.flatMap { try? JSONDecoder().decode(NewsCursor.self, from: Data($0.utf8)) }
            if let cursor, cursor.sweep == nil, cursor.nextSweep > now, cursor.events > now - 60 {
                return
            }
            try await tick()
        }
    }

    /// Lets the engine work, and a second pass.
    private func tick() async throws {
        for _ in 0..<100 {
            try await Task.yieldUnlessCancelled()
        }
        site.control.advance(by: .seconds(1))
        time.advance(by: 1)
    }

    func books(of payments: [(id: UUID, intent: String)]) async throws -> [ReversalRun.Book] {
        var books: [ReversalRun.Book] = []
        for (id, _) in payments {
            let (transaction, refunds) = try await ledger.read { reader in
                let transaction = try reader.transaction(id)
                return (transaction, try reader.refunds(ofTransaction: transaction?.key ?? 0))
            }
            books.append(
                ReversalRun.Book(
                    returned: refunds.filter { $0.state == .succeeded }.reduce(0) { $0 + $1.amount },
                    revoked: transaction?.revocation?.quantity,
                    openReviews: refunds.count { $0.state == .needsReview }
                )
            )
        }
        return books
    }

    /// Whether the ledger and Stripe's record agree, while time passes.
    func agrees() async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                while true {
                    try await tick()
                }
            }
            group.addTask { try await allPagesAgree() }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    private func allPagesAgree() async throws -> Bool {
        var comparison = engine.reconciliation()
        while !comparison.isAtEnd {
            guard try await comparison.nextPage().agrees else {
                return false
            }
        }
        return true
    }
}
