import FoundationEssentials
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
            #expect(rows.map(\.finding) == [.missingAtProvider, .missingInLedger])
            #expect(rows.map(\.paymentID) == [bought.id, foreign.paymentID])
            let known = try #require(try await harness.charges().first?.reference)
            #expect(rows.first?.reference == known, "the ledger has it, if the provider has not")
            #expect(pages.map(\.agrees).contains(false))
        }
    }

    @Test func aPageHasARowLimitAndTheNextContinues() async throws {
        try await EngineHarness().run { harness in
            for _ in 0..<300 {
                _ = try await harness.engine.addPayment(Payment(productID: "coins"), to: EngineHarness.notes)
            }
            await harness.engine.settleJobs()
            harness.provider.forgetRecord()
            let pages = try await harness.reconcile()
            #expect(pages.allSatisfy { $0.rows.count <= ReconciliationPage.rowsMaximum })
            #expect(Set(pages.flatMap(\.rows).map(\.paymentID)).count == 300)
            #expect(pages.reduce(0) { $0 + $1.compared } == 300)
        }
    }

    @Test(arguments: [0, 1, UInt64(1) << 63, UInt64.max, UInt64.max >> 1])
    func anyTokenIsAnswered(token: UInt64) async throws {
        try await EngineHarness().run { harness in
            _ = try await harness.buy("coins")
            _ = try await harness.engine.reconcile(token: token)
        }
    }

    @Test(arguments: [ReconciliationToken.ledger(0), .ledger(.max), .provider(0), .provider(7)])
    func aTokenIsWhatItWas(token: ReconciliationToken) {
        #expect(ReconciliationToken(token.number) == token)
    }
}

extension EngineHarness {
    /// All pages of a reconciliation.
    fileprivate func reconcile() async throws -> [ReconciliationPage] {
        var pages: [ReconciliationPage] = []
        var token: UInt64? = 0
        while let next = token {
            let page = try await engine.reconcile(token: next)
            pages.append(page)
            token = page.next
        }
        return pages
    }
}
