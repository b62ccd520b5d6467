import FoundationEssentials
import Testing
import TillClient
import TillOutput
@testable import TillCommand

@Suite struct OperatorRenderingTests {
    private static let date = Date(millisecondsSince1970: 1_772_357_400_250)
    private static let refund = RefundSummary(
        id: UUID(high: 0, low: 7),
        quantity: 1,
        amount: 99,
        currency: "USD",
        reason: .applicationIssue,
        state: .succeeded,
        reference: "re_1",
        createdAt: date
    )
    private static let charge = ChargeSummary(
        paymentID: UUID(high: 0, low: 1),
        state: .open,
        amount: 500,
        currency: "JPY",
        attempts: 2,
        dueAt: date
    )
    private static let refundJSON = """
        {"amount":99,"created_at":"2026-03-01T09:30:00.250Z","currency":"USD",\
        "id":"00000000-0000-0000-0000-000000000007","quantity":1,"reason":"application_issue",\
        "reference":"re_1","state":"succeeded"}
        """
    private static let chargeJSON = """
        {"amount":500,"attempts":2,"currency":"JPY","due_at":"2026-03-01T09:30:00.250Z",\
        "payment_id":"00000000-0000-0000-0000-000000000001","state":"open"}
        """
    private static let historyJSON = """
        {"actor":"tilld","date":"2026-03-01T09:30:00.250Z","detail":"asked to charge","kind":"provider_call"}
        """

    @Test func aFoundTransactionNamesItsQueue() throws {
        let found = OperatorTransaction(
            application: "org.a",
            account: "uid:1",
            transaction: .purchased,
            needsReview: true
        )
        let transaction = TransactionLine(transaction: .purchased)
        #expect(FoundTransactionLine(found: found).text == "org.a  uid:1  \(transaction.text)  NEEDS REVIEW")
        #expect(
            try FoundTransactionLine(found: found).json.text() == """
                {"account":"uid:1","application":"org.a","needs_review":true,"transaction":\(transaction.json.text())}
                """
        )
    }

    @Test func aRefundIsOneLine() throws {
        let line = RefundedLine(refund: Self.refund, transaction: .purchased)
        let transaction = TransactionLine(transaction: .purchased)
        #expect(
            line.text == """
                refund of 1 for 0.99 USD  succeeded  refund-id=00000000-0000-0000-0000-000000000007  \
                \(transaction.text)
                """
        )
        let json = try transaction.json.text()
        #expect(try line.json.text() == #"{"refund":\#(Self.refundJSON),"transaction":\#(json)}"#)
    }

    @Test func aRevocationGivesNothingBack() {
        var refund = Self.refund
        refund.amount = 0
        let text = RefundedLine(refund: refund, transaction: .purchased).text
        #expect(text.hasPrefix("revocation of \(refund.quantity)  succeeded  "))
    }

    @Test func aFreePurchaseIsRefundedForNothing() {
        var refund = Self.refund
        refund.amount = 0
        refund.currency = "XXX"
        let text = RefundedLine(refund: refund, transaction: .purchased).text
        #expect(text.hasPrefix("refund of 1 for nothing  succeeded  "))
    }

    @Test func anExplanationHasItsParts() throws {
        let history = HistoryEntry(date: Self.date, kind: .providerCall, actor: "tilld", detail: "asked to charge")
        let explanation = Explanation(
            application: "org.a",
            account: "uid:1",
            transaction: .purchased,
            sentence: "It was purchased.",
            actions: ["till refund 17"],
            history: [history],
            charges: [Self.charge],
            refunds: [Self.refund]
        )
        let transaction = TransactionLine(transaction: .purchased)
        let output = ExplanationOutput(explanation: explanation)
        #expect(
            output.lines == [
                "It was purchased.", transaction.text, "application: org.a", "account: uid:1",
                "", "History:",
                "  WHEN                      WHO    WHAT",
                "  2026-03-01T09:30:00.250Z  tilld  provider call: asked to charge",
                "", "Charges:",
                "  PAYMENT                               AMOUNT   STATE  CALLS  REFERENCE  DUE",
                "  00000000-0000-0000-0000-000000000001  500 JPY  open   2      -          2026-03-01T09:30:00.250Z",
                "", "Refunds:",
                "  CREATED                   QUANTITY  AMOUNT    STATE      CAUSE              REFERENCE  ID",
                "  2026-03-01T09:30:00.250Z  1         0.99 USD  succeeded  application issue  re_1       "
                    + "00000000-0000-0000-0000-000000000007",
                "", "Safe actions:", "  till refund 17",
            ]
        )
        #expect(
            try output.json.text() == """
                {"account":"uid:1","actions":["till refund 17"],"application":"org.a","charges":[\(Self.chargeJSON)],\
                "history":[\(Self.historyJSON)],"refunds":[\(Self.refundJSON)],"sentence":"It was purchased.",\
                "transaction":\(transaction.json.text())}
                """
        )
    }

    @Test func anExplanationOmitsEmptyParts() {
        let explanation = Explanation(application: "a", account: "b", transaction: .failed, sentence: "It failed.")
        #expect(ExplanationOutput(explanation: explanation).lines.count == 4)
    }

    @Test(arguments: [
        (kind: HistoryEntry.Kind.change, what: "done"), (.providerCall, "provider call: done"),
        (.delivery, "delivery: done"),
    ])
    func historyEntriesNameTheirKind(kind: HistoryEntry.Kind, what: String) {
        let entry = HistoryEntry(date: Self.date, kind: kind, actor: "uid:1", detail: "done")
        #expect(HistoryLine(entry: entry).columns == ["2026-03-01T09:30:00.250Z", "uid:1", what])
    }

    @Test func aSettledChargeIsNotDue() throws {
        var charge = Self.charge
        charge.state = .succeeded
        charge.reference = "ch_1"
        #expect(ChargeLine(charge: charge).columns.suffix(2) == ["ch_1", "-"])
        #expect(try !ChargeLine(charge: charge).json.text().contains("due_at"))
    }

    @Test func aSettingIsARow() throws {
        let setting = Setting(name: "ask-to-buy", value: "true", domain: "true or false", isChanged: true)
        #expect(SettingLine.headings == ["NAME", "VALUE", "CHANGED", "ALLOWED"])
        #expect(SettingLine(setting: setting).columns == ["ask-to-buy", "true", "yes", "true or false"])
        #expect(
            try SettingLine(setting: setting).json.text()
                == #"{"domain":"true or false","is_changed":true,"name":"ask-to-buy","value":"true"}"#
        )
    }

    @Test(arguments: [
        (offset: Duration.zero, isAdjustable: false, text: "the machine's time, cannot be advanced", offsetMS: 0),
        (.seconds(129_600), true, "1d12h ahead of the machine", 129_600_000),
    ])
    func theClockIsOneLine(offset: Duration, isAdjustable: Bool, text: String, offsetMS: Int) throws {
        let line = ClockLine(reading: ClockReading(now: Self.date, offset: offset, isAdjustable: isAdjustable))
        #expect(line.text == "2026-03-01T09:30:00.250Z  \(text)")
        #expect(
            try line.json.text()
                == #"{"is_adjustable":\#(isAdjustable),"now":"2026-03-01T09:30:00.250Z","offset_ms":\#(offsetMS)}"#
        )
    }

    @Test func anOfferToAnApplicationIsOneLine() throws {
        let payment = Payment(id: UUID(high: 0, low: 1), productID: "coins", quantity: 2)
        let line = PromotedLine(payment: payment, application: "org.a", account: "uid:1")
        #expect(line.text == "org.a  uid:1  offered  coins ×2  id=00000000-0000-0000-0000-000000000001")
        #expect(
            try line.json.text() == """
                {"account":"uid:1","application":"org.a",\
                "payment":{"id":"00000000-0000-0000-0000-000000000001","product_id":"coins","quantity":2}}
                """
        )
    }
}
