import FoundationEssentials
import Synchronization
import Testing
@testable import TillEngine
import TillModel
import TillTesting

@Suite struct ReconcilingTests {
    @Test func booksThatAgreeShowNothing() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins", quantity: 3)
            _ = try await harness.buy("pro")
            let order = RefundOrder(transactionID: bought.id, quantity: 1)
            harness.provider.noteRefundsInRecord()
            _ = try await harness.engine.refund(order, by: OperatorIdentity(uid: 0, reason: ""))
            let pages = try await harness.reconcile()
            #expect(pages.flatMap(\.rows).isEmpty)
            #expect(pages.map(\.agrees).contains(false) == false)
            #expect(pages.reduce(0) { $0 + $1.compared } == 2)
        }
    }

    @Test func aRefundThatTheProviderDoesNotKnowIsDrift() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            let order = RefundOrder(transactionID: bought.id)
            _ = try await harness.engine.refund(order, by: OperatorIdentity(uid: 0, reason: ""))
            let rows = try await harness.reconcile().flatMap(\.rows)
            #expect(rows.map(\.finding) == [.differentAmount])
            #expect(rows.map(\.ledgerAmount) == [0])
            #expect(rows.map(\.providerAmount) == [99])
        }
    }

    @Test func chargesOfOneBookAloneAreDrift() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            harness.provider.forgetRecord()
            let foreign = ChargeRequest(
                paymentID: UUID(),
                application: "a",
                account: "b",
                productID: "coins",
                quantity: 1,
                amount: 5,
                currency: "USD"
            )
            _ = await harness.provider.charge(foreign)
            let pages = try await harness.reconcile()
            let rows = pages.flatMap(\.rows)
            #expect(rows.map(\.finding) == [.missingInLedger, .missingAtProvider])
            #expect(rows.map(\.paymentID) == [foreign.paymentID, bought.id])
            let known = try #require(try await harness.charges().first?.reference)
            #expect(rows.last?.reference == known, "the ledger has it, if the provider has not")
            #expect(pages.map(\.agrees).contains(false))
        }
    }

    /// The ledger is read after the provider's record, and may know what was given back in between.
    @Test(arguments: [(1, []), (2, [.differentAmount])] as [(Int, [Reconciliation.Finding])])
    func aRefundWhileTheRecordIsReadIsNoDrift(oldRecords: Int, findings: [Reconciliation.Finding]) async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            harness.provider.noteRefundsInRecord()
            let old = harness.provider.recordNow
            _ = try await harness.engine.refund(
                RefundOrder(transactionID: bought.id),
                by: OperatorIdentity(uid: 0, reason: "")
            )
            harness.provider.scriptRecords(Array(repeating: old, count: oldRecords))
            let rows = try await harness.reconcile().flatMap(\.rows)
            #expect(rows.map(\.finding) == findings)
        }
    }

    @Test func aPaymentThatIsInTheRecordTwiceWasChargedTwice() async throws {
        try await EngineHarness().run { harness in
            let bought = try await harness.buy("coins")
            let record = harness.provider.recordNow
            harness.provider.scriptRecords([ProviderRecordPage(charges: record.charges + record.charges)])
            let rows = try await harness.reconcile().flatMap(\.rows)
            #expect(rows.map(\.finding) == [.chargedTwice])
            #expect(rows.map(\.paymentID) == [bought.id])
        }
    }

    /// What another transaction continues was charged for the first.
    @Test func aReviewedChargeIsFoundWhereItIs() async throws {
        let harness = EngineHarness { $0.purchasingDeadline = .seconds(300) }
        harness.provider.script("coins", [.timeOutAfter])
        try await harness.run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while harness.provider.charges[payment.id] == nil {
                try await Task.yieldUnlessCancelled()
            }
            harness.provider.setReachable(false)
            try await harness.advance(until: payment.id)
            let operatorIdentity = OperatorIdentity(uid: 0, reason: "")
            let continuing = try await harness.engine.resolve(
                payment.id,
                review: .charged(reference: "seen"),
                by: operatorIdentity
            )
            #expect(continuing.id != payment.id)
            harness.provider.setReachable(true)
            let pages = try await harness.reconcile()
            #expect(pages.flatMap(\.rows).isEmpty)
            #expect(pages.reduce(0) { $0 + $1.compared } == 1)
        }
    }

    /// The books agree in the end, also if it is the second round of attempts that succeeds.
    @Test(arguments: [(1, [2], 0), (4, [2, 2, 2, 2], 0), (5, [2, 2, 2, 2], 1), (9, [2, 2, 2, 2, 2, 2, 2, 2], 1)])
    func aProviderThatFailsIsAskedAgain(failures: Int, pauses: [Int], errors: Int) async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("coins")
            harness.provider.failRecords(failures)
            let time = RecordedPauses()
            var comparison = LedgerComparison(harness.engine.access, harness.engine.provider, time: time)
            var compared = 0
            var codes: [TillError.Code] = []
            while !comparison.isAtEnd {
                do throws(TillError) {
                    compared += try await comparison.nextPage().compared
                } catch {
                    codes.append(error.code)
                }
            }
            #expect(codes == Array(repeating: .unavailable, count: errors))
            #expect(compared == 1)
            #expect(time.pauses.withLock { $0 } == pauses.map { Duration.seconds($0) })
        }
    }

    @Test func whatNobodyMakesAnyMoreIsCancelled() async throws {
        let provider = PreparingProvider(asksPayer: true)
        // The answer to the first is lost: nobody knows its name.
        provider.scriptPreparations([.timeOutAfter])
        provider.scriptCharges([.payerAction])
        try await EngineHarness(preparing: provider).run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while try await harness.charges().first?.reference == nil {
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            let reference = try #require(try await harness.charges().first?.reference)
            #expect(provider.outcomes.keys.sorted() == ["prepared-0", "prepared-1"] && reference == "prepared-1")
            let pages = try await harness.reconcile()
            #expect(pages.reduce(0) { $0 + $1.discarded } == 1)
            #expect(provider.calls.filter { $0.hasPrefix("discard") } == ["discard prepared-0"])
            #expect(pages.allSatisfy { $0.rows.isEmpty })
        }
    }

    @Test(
        arguments: [
            (nil, nil, true), (.open, nil, false), (.open, "own", false), (.open, "other", true),
            (.needsReview, "own", false), (.needsReview, "other", true), (.declined, "own", true),
            (.declined, nil, true),
            (.succeeded, "other", true), (.unneeded, nil, true), (.waiting, nil, true),
        ] as [(ChargeRecord.State?, String?, Bool)]
    )
    func aPreparedChargeIsAbandonedUnlessItMayBeMade(
        state: ChargeRecord.State?,
        reference: String?,
        isAbandoned: Bool
    ) {
        let prepared = PreparedCharge(paymentID: UUID(), reference: "own")
        let charge = state.map { ReconciliationTests.record(prepared.paymentID, $0, reference: reference) }
        #expect(prepared.isAbandoned(charge) == isAbandoned)
    }

    @Test func aPageHasARowLimitAndTheNextContinues() async throws {
        try await EngineHarness().run { harness in
            for _ in 0..<300 {
                _ = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
            }
            await harness.engine.settleJobs()
            harness.provider.forgetRecord()
            let pages = try await harness.reconcile()
            #expect(pages.map(\.rows.count).filter { $0 > 0 } == [128, 128, 44])
            #expect(Set(pages.flatMap(\.rows).map(\.paymentID)).count == 300)
            #expect(pages.reduce(0) { $0 + $1.compared } == 300)
        }
    }
}

/// A clock on which each sleep is over at once.
private final class RecordedPauses: TimeSource {
    let pauses = Mutex<[Duration]>([])

    func now() -> Date {
        .distantPast
    }

    func sleep(for duration: Duration) async throws {
        pauses.withLock { $0.append(duration) }
    }
}

extension EngineHarness {
    /// All pages of a reconciliation.
    fileprivate func reconcile() async throws -> [ReconciliationPage] {
        var comparison = engine.reconciliation()
        var pages: [ReconciliationPage] = []
        while !comparison.isAtEnd {
            pages.append(try await comparison.nextPage())
        }
        return pages
    }
}
