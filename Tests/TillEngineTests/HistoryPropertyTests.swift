import FoundationEssentials
import TestValues
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// Random histories on the virtual clock, of all kinds of product, end as every history has to end.
@Suite struct HistoryPropertyTests {
    enum Move: CaseIterable {
        case buy, buyMany, askToBuy, decide, interrupt, resolve, cancel, finish, refund, revoke, pass
        case timeOut, decline, loseProvider, findProvider, subscribe, review
    }

    private static let parent = Approver(uid: 1, account: "uid:1", approvesForOthers: true)
    private static let by = OperatorIdentity(uid: 1, reason: "test")
    private static let products = ["coins", "pro", "themes", "season", "gift"]

    @Test(arguments: 0..<25)
    func everyStateEndsAndTheBooksAddUp(seed: UInt64) async throws {
        try await EngineHarness().run { harness in
            var random = SplitMix64(seed: seed)
            var story: [String] = []
            for _ in 0..<40 {
                let move = Move.allCases.randomElement(using: &random) ?? .buy
                story.append("\(move)")
                try await Self.make(move, &random, harness)
            }
            harness.provider.setReachable(true)
            harness.time.advance(by: 3 * 86_400)
            try await harness.engine.settleDue()
            try await harness.settle()
            #expect(try await !Self.rows(harness).isEmpty, "seed \(seed): nothing was bought")
            let faults = try await Self.faults(harness)
            #expect(faults.isEmpty, "seed \(seed): \(faults) after \(story)")
        }
    }

    private static func make(_ move: Move, _ random: inout SplitMix64, _ harness: EngineHarness) async throws {
        let product = products.randomElement(using: &random) ?? "coins"
        switch move {
        case .buy: try await add(Payment(productID: product), harness)
        case .buyMany:
            try await add(Payment(productID: "coins", quantity: Int.random(in: 1...10, using: &random)), harness)
        case .askToBuy: try await add(Payment(productID: product, simulatesAskToBuyInSandbox: true), harness)
        case .subscribe: try await add(Payment(productID: "monthly"), harness)
        case .interrupt:
            let waits = Bool.random(using: &random)
            harness.changeStore { settings in
                settings.interruptsPurchases = true
                settings.defersInterruptedPurchases = waits
            }
            try await add(Payment(productID: product), harness)
            harness.changeStore { $0 = StoreSettings() }
        case .timeOut:
            let answer = [ScriptedProvider.Answer.timeOutBefore, .timeOutAfter].randomElement(using: &random)
            harness.provider.script(product, [answer ?? .timeOutAfter])
        case .decline: harness.provider.script(product, [.decline])
        case .loseProvider: harness.provider.setReachable(false)
        case .findProvider: harness.provider.setReachable(true)
        case .pass: harness.time.advance(by: Double(Int.random(in: 1...50_000, using: &random)))
        case .decide, .resolve, .cancel, .finish, .refund, .revoke, .review:
            try await act(move, &random, harness)
        }
    }

    private static func add(_ payment: Payment, _ harness: EngineHarness) async throws {
        _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
    }

    /// Does something to a transaction; a refusal changes nothing.
    private static func act(_ move: Move, _ random: inout SplitMix64, _ harness: EngineHarness) async throws {
        let engine = harness.engine
        guard let row = try await rows(harness).randomElement(using: &random) else {
            return
        }
        let flag = Bool.random(using: &random)
        let quantity = Int.random(in: 0...3, using: &random)
        do {
            switch move {
            case .decide: try await engine.answer(row.id, kind: .approval, approves: flag, reason: "", by: parent)
            case .resolve: _ = try await engine.resolve(row.id, review: nil, by: by)
            case .review:
                // The provider's actual effects.
                let outcome =
                    harness.provider.charges[row.id] == nil
                    ? ReviewOutcome.notCharged : .charged(reference: nil)
                _ = try await engine.resolve(row.id, review: outcome, by: by)
            case .cancel: _ = try await engine.cancelPayment(row.id, in: EngineHarness.notes)
            case .finish: _ = try await engine.finishTransaction(row.id, in: EngineHarness.notes)
            default:
                let order = RefundOrder(transactionID: row.id, quantity: quantity, keepsMoney: move == .revoke)
                _ = try await engine.refund(order, by: by)
            }
        } catch  where [.failedPrecondition, .notFound].contains(error.code) {
            return
        }
    }

    private static func rows(_ harness: EngineHarness) async throws -> [TransactionRecord] {
        try await harness.ledger.read { ledger in
            try ledger.transactions(in: 1, changedAfter: 0, limit: 10_000).sorted { $0.key < $1.key }
        }
    }

    private static func faults(_ harness: EngineHarness) async throws -> [String] {
        let rows = try await rows(harness)
        let charges = try await harness.ledger.read { try $0.charges(afterKey: 0, limit: 10_000) }
        var faults = rows.filter { !$0.state.isFinal }.map { "\($0.id) is still \($0.state)" }
        faults += charges.filter { !$0.state.isSettled }.map { "charge \($0.key) is still \($0.state)" }
        faults += harness.provider.charges.filter { $0.value > 1 }.map { "\($0.key) was charged \($0.value) times" }
        let paymentIDs = Set(charges.map(\.request.paymentID))
        faults += harness.provider.charges.keys.filter { !paymentIDs.contains($0) }.map {
            "\($0) was charged for nobody"
        }
        faults += try await moneyFaults(rows, charges, harness)
        faults += try await entitlementFaults(rows, harness)
        return faults
    }

    /// For each purchase: the granted quantity is the paid quantity less the refunded quantity; and no more money was
    /// refunded than was taken.
    private static func moneyFaults(
        _ rows: [TransactionRecord],
        _ charges: [ChargeRecord],
        _ harness: EngineHarness
    ) async throws -> [String] {
        var faults: [String] = []
        for row in rows where row.state == .purchased {
            let refunds = try await harness.refunds(of: row.id).filter { $0.state == .succeeded }
            let taken = refunds.reduce(0) { $0 + $1.quantity }
            // An unfinished copy is revoked with its original, and never refunded.
            let isCopy = row.original != nil && row.term == nil
            if taken > row.payment.quantity || taken != (isCopy ? 0 : row.revocation?.quantity ?? 0) {
                faults.append("\(row.id): \(taken) of \(row.payment.quantity) were taken back")
            }
            let paid = charges.filter { $0.transactionKey == row.key && $0.state == .succeeded }
                .reduce(0) { $0 + $1.request.amount }
            let back = refunds.reduce(0) { $0 + $1.amount }
            if back > paid {
                faults.append("\(row.id): \(back) of \(paid) went back")
            }
            let isPaidFor = paid > 0 || row.original != nil || row.continues != nil || row.payment.productID == "gift"
            if !isPaidFor {
                faults.append("\(row.id) was granted and not paid for")
            }
        }
        return faults
    }

    /// The account owns exactly what a plain scan of its transactions shows.
    private static func entitlementFaults(_ rows: [TransactionRecord], _ harness: EngineHarness) async throws
        -> [String]
    {
        let owned = rows.filter { row in
            row.state == .purchased && row.original == nil
                && ["pro", "themes", "gift", "season"].contains(row.payment.productID)
                && row.revocation?.quantity ?? 0 < row.payment.quantity
        }
        let now = harness.time.now()
        let subscribed = rows.filter { row in
            row.state == .purchased && row.revocation == nil
                && row.term.map { !$0.isUpgraded && $0.start <= now && now < $0.end } ?? false
        }
        let naive = (owned + subscribed).map(\.payment.productID).sorted()
        let found = try await harness.entitlements()
        let names = found.map(\.productID).sorted()
        return names == naive ? [] : ["entitled to \(names), and not to \(naive)"]
    }
}
