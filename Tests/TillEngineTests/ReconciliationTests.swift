import FoundationEssentials
import Testing
import TillEngine
import TillModel

@Suite struct ReconciliationTests {
    @Test(
        arguments: [
            (ChargeRecord.State.succeeded, [99], Reconciliation.Finding.agrees),
            (.succeeded, [], .missingAtProvider),
            (.succeeded, [100], .differentAmount),
            (.succeeded, [99, 99], .chargedTwice),
            (.open, [99], .open),
            (.needsReview, [99], .open),
            (.declined, [99], .missingInLedger),
            (.unneeded, [99], .missingInLedger),
            (.waiting, [99], .missingInLedger),
        ] as [(ChargeRecord.State, [Int64], Reconciliation.Finding)]
    )
    func booksAreComparedByPayment(
        state: ChargeRecord.State,
        amounts: [Int64],
        finding: Reconciliation.Finding
    ) {
        let id = UUID()
        let result = Reconciliation(ledger: [Self.record(id, state)], provider: amounts.map { charge(id, $0) })
        #expect(result.rows.map(\.finding) == [finding])
        #expect(result.agrees == (finding == .agrees || finding == .open))
    }

    @Test(arguments: [ChargeRecord.State.open, .declined, .unneeded, .waiting, .needsReview])
    func chargesThatNeverReachedTheProviderAreLeftOut(state: ChargeRecord.State) {
        let result = Reconciliation(ledger: [Self.record(UUID(), state)], provider: [])
        #expect(result.rows.isEmpty)
        #expect(result.agrees)
    }

    @Test func aChargeThatTheLedgerNeverSawIsMissing() {
        let result = Reconciliation(ledger: [], provider: [charge(UUID(), 99)])
        #expect(result.rows.map(\.finding) == [.missingInLedger])
        #expect(!result.agrees)
    }

    private func charge(_ id: UUID, _ amount: Int64) -> ProviderCharge {
        ProviderCharge(paymentID: id, amount: amount, currency: "USD", reference: "r")
    }

    static func record(_ id: UUID, _ state: ChargeRecord.State, reference: String? = nil) -> ChargeRecord {
        ChargeRecord(
            key: 1,
            transactionKey: 1,
            queue: 1,
            request: ChargeRequest(
                paymentID: id,
                application: "a",
                account: "b",
                productID: "c",
                quantity: 1,
                amount: 99,
                currency: "USD"
            ),
            state: state,
            createdAt: .distantPast,
            dueAt: .distantPast,
            reference: reference
        )
    }
}
