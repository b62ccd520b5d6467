import FaultRuns
import Foundation
import ProcessTesting
import StripeStandIn
import TestValues
import Testing
import TillEngine
import TillModel
import TillSQLite

/// Kills the daemon and the stand-in for Stripe between all steps of purchases and refunds, and compares their books.
///
/// `TILL_STRIPE_KILL_ROUNDS` sets the number of rounds, and `TILL_TEST_SEED` repeats the choices of a run.
@Suite(.serialized) struct StripeKillTests {
    static let roundsDefault = 15

    @Test(.timeLimit(.minutes(120)))
    func nothingIsChargedOrGivenBackTwice() async throws {
        let random = SplitMix64.fromEnvironment()
        let rounds =
            ProcessInfo.processInfo.environment["TILL_STRIPE_KILL_ROUNDS"].flatMap { Int($0) } ?? Self.roundsDefault
        print("Kill rounds: \(rounds); repeat them with TILL_TEST_SEED=\(random.seed)")
        try await Site.with { site in
            var run = try await StripeKillRun(at: site, random)
            for _ in 0..<rounds {
                try await run.round()
            }
            try await run.settle()
            let books = try await StripeBooks(of: run)
            #expect(books.faults == [], "seed \(random.seed)")
            #expect(books.charges.count > rounds / 4)
            #expect(run.ends > 0)
            print("\(run.ends) ends, \(run.payments.count) payments, \(books.figures)")
            if !books.faults.isEmpty {
                site.keep()
            }
        }
    }
}

/// What the ledger and Stripe say about all payments of a run.
struct StripeBooks {
    /// The payments that Stripe charged, once for each charge.
    private(set) var charges: [UUID] = []
    /// The refunds that failed after they had succeeded.
    private var failed: Set<String> = []
    private var states: [UUID: (state: TransactionState, refunds: [RefundRecord])] = [:]
    /// Differences, in sentences.
    private(set) var faults: [String] = []

    init(of run: StripeKillRun) async throws {
        let movements = await run.stripe.control("movements")?.array ?? []
        var refundsOfPayment: [UUID: [String: Int]] = [:]
        for movement in movements {
            let intent = await run.stripe.control("object", ["id": movement["intent"].string ?? ""]) ?? .null
            guard let payment = intent["metadata"]["till_payment"].string.flatMap(UUID.init(uuidString:)) else {
                faults.append("\(movement.text) belongs to no payment")
                continue
            }
            let object = movement["object"].string ?? ""
            switch movement["kind"].string {
            case "charge": charges.append(payment)
            case "refund": refundsOfPayment[payment, default: [:]][object, default: 0] += movement["amount"].int ?? 0
            case "refund_failure":
                refundsOfPayment[payment]?[object] = nil
                failed.insert(object)
            default: faults.append("unexpected: \(movement.text)")
            }
        }
        try await readLedger(run)
        compare(run.payments, refundsOfPayment)
    }

    private mutating func readLedger(_ run: StripeKillRun) async throws {
        let ledger = try SQLiteLedger.openReadOnly(path: run.site.ledger)
        for payment in run.payments {
            let found = try await ledger.read { ledger in
                try ledger.transaction(payment).map { ($0.state, try ledger.refunds(ofTransaction: $0.key)) }
            }
            states[payment] = found.map { (state: $0.0, refunds: $0.1) }
        }
        try await ledger.close()
    }

    private mutating func compare(_ payments: [UUID], _ atStripe: [UUID: [String: Int]]) {
        let counts = Dictionary(charges.map { ($0, 1) }, uniquingKeysWith: +)
        for payment in payments {
            let count = counts[payment] ?? 0
            guard let (state, refunds) = states[payment] else {
                faults.append("\(payment.text) is not in the ledger, and was charged \(count) times")
                continue
            }
            if count > 1 {
                faults.append("\(payment.text) was charged \(count) times")
            }
            if (count == 1) != (state == .purchased) {
                faults.append("\(payment.text) is \(state), and was charged \(count) times")
            }
            let given = atStripe[payment] ?? [:]
            let made = refunds.filter { $0.state == .succeeded }
            for (refund, amount) in given where amount != 99 || !made.contains(where: { $0.reference == refund }) {
                faults.append("\(payment.text) was given back \(amount) by \(refund), not in the ledger")
            }
            for refund in refunds where !isExplained(refund, given) {
                faults.append(
                    "\(payment.text) has a refund that is \(refund.state), as \(refund.reference ?? "nothing")"
                )
            }
        }
    }

    /// A refund that failed late needs a review as soon as the daemon has heard of it, and has succeeded until then.
    private func isExplained(_ refund: RefundRecord, _ given: [String: Int]) -> Bool {
        let hasFailedLate = refund.reference.map(failed.contains) == true
        return switch refund.state {
        case .succeeded: hasFailedLate || refund.reference.map { given[$0] != nil } == true
        case .needsReview: hasFailedLate
        case .open: false
        case .failed: refund.reference.map { given[$0] == nil } ?? true
        }
    }

    /// For the log of a run.
    var figures: String {
        let refunded = states.values.count { $0.refunds.contains { $0.state == .succeeded } }
        return "\(charges.count) charged, \(refunded) given back"
    }
}
