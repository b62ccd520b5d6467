import FoundationEssentials
import Testing
import TillModel
import TillOutput

@Suite struct ReconciliationRenderingTests {
    @Test func aReconciledChargeIsOneLine() throws {
        var row = ReconciliationRow(
            paymentID: UUID(high: 0, low: 1),
            finding: .agrees,
            ledgerState: .succeeded,
            ledgerAmount: 99,
            providerAmount: 99,
            currency: "USD",
            reference: "ch_1",
            productID: "coins"
        )
        let id = "00000000-0000-0000-0000-000000000001"
        #expect(ReconciliationLine(row: row).text == "\(id)  coins  ledger succeeded 0.99  provider 0.99  USD  agrees")
        #expect(
            try ReconciliationLine(row: row).json.text() == """
                {"currency":"USD","finding":"agrees","ledger_amount":99,"ledger_state":"succeeded",\
                "payment_id":"\(id)","product":"coins","provider_amount":99,"reference":"ch_1"}
                """
        )
        row = ReconciliationRow(
            paymentID: row.paymentID,
            finding: .missingInLedger,
            providerAmount: 99,
            currency: "USD"
        )
        #expect(
            ReconciliationLine(row: row).text == "\(id)  -  ledger nothing -  provider 0.99  USD  missing in ledger"
        )
        row = ReconciliationRow(
            paymentID: row.paymentID,
            finding: .missingAtProvider,
            ledgerState: .needsReview,
            currency: "USD"
        )
        #expect(
            ReconciliationLine(row: row).text
                == "\(id)  -  ledger needsReview -  provider nothing  USD  missing at provider"
        )
    }

    @Test func theLastLineIsTheVerdict() {
        #expect(
            ReconciliationLine.verdict(agrees: true, compared: 3)
                == "The ledger and the provider agree: 3 charges compared."
        )
        #expect(ReconciliationLine.verdict(agrees: false, compared: 1).contains(" DISAGREE: 1 "))
        var page = ReconciliationPage(rows: [], agrees: true, compared: 3)
        #expect(ReconciliationLine.verdict(page) == ReconciliationLine.verdict(agrees: true, compared: 3))
        page.discarded = 2
        #expect(
            ReconciliationLine.verdict(page).hasSuffix(
                "compared. Prepared at the provider, never charged, and cancelled now: 2."
            )
        )
    }
}
