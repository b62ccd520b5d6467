import FoundationEssentials
import Testing
import TillClient
import TillOutput
@testable import TillCommand

@Suite struct BuyingRenderingTests {
    private static let date = Date(millisecondsSince1970: 1_772_357_400_250)

    @Test func aWaitingTransactionNamesItsBlocker() throws {
        let transaction = Transaction(
            id: UUID(high: 0, low: 4),
            revision: 8,
            state: .deferred,
            payment: Payment(id: UUID(high: 0, low: 4), productID: "coins"),
            blocker: .otherPayment,
            deadline: Self.date,
            continues: UUID(high: 0, low: 3)
        )
        #expect(
            TransactionLine(transaction: transaction).text == """
                coins ×1  deferred  id=00000000-0000-0000-0000-000000000004 revision=8 waits-for=other-payment \
                deadline=2026-03-01T09:30:00.250Z continues=00000000-0000-0000-0000-000000000003
                """
        )
        #expect(
            try TransactionLine(transaction: transaction).json.text() == """
                {"blocker":"other_payment","continues":"00000000-0000-0000-0000-000000000003",\
                "deadline":"2026-03-01T09:30:00.250Z","id":"00000000-0000-0000-0000-000000000004",\
                "is_finished":false,"product_id":"coins","quantity":1,"revision":8,"state":"deferred"}
                """
        )
    }

    @Test func aRevokedTransactionHasItsRevocation() throws {
        var transaction = Transaction.purchased
        transaction.revocation = Revocation(date: Self.date, reason: .applicationIssue, quantity: 1)
        #expect(
            TransactionLine(transaction: transaction).text.hasSuffix(
                " revoked=1 revoked-at=2026-03-01T09:30:00.250Z revoked-for=application-issue"
            )
        )
        #expect(
            try TransactionLine(transaction: transaction).json.text().contains(
                #""revocation":{"date":"2026-03-01T09:30:00.250Z","quantity":1,"reason":"application_issue"}"#
            )
        )
    }

    @Test func aFailureHasAReason() throws {
        let error = PaymentError(.paymentCancelled, "Nobody answered.", reason: .expired)
        #expect(
            ErrorLine(error: error).text
                == "paymentCancelled (2, expired): Nobody answered; no money moved; a new payment is safe."
        )
        #expect(
            try ErrorLine(error: error).json.text() == """
                {"code":2,"message":"Nobody answered.","money_moved":"no","name":"paymentCancelled",\
                "reason":"expired","retry":"safe"}
                """
        )
    }

    @Test func eventsOfTheStoreAreCallbacks() throws {
        let payment = Payment(id: UUID(high: 0, low: 1), productID: "coins", applicationUsername: "ann")
        let table: [(change: Change, text: String, json: String)] = [
            (
                .storePaymentRequested(payment),
                """
                paymentQueue(_:shouldAddStorePayment:for:)  coins ×1  id=00000000-0000-0000-0000-000000000001 \
                username=ann
                """,
                """
                {"callback":"paymentQueue(_:shouldAddStorePayment:for:)",\
                "payment":{"application_username":"ann","id":"00000000-0000-0000-0000-000000000001",\
                "product_id":"coins","quantity":1}}
                """
            ),
            (
                .storefrontChanged(Storefront(countryCode: "DEU", identifier: "143443")),
                "paymentQueueDidChangeStorefront(_:)  DEU (143443)",
                """
                {"callback":"paymentQueueDidChangeStorefront(_:)","storefront":"DEU",\
                "storefront_identifier":"143443"}
                """
            ),
            (
                .revoked([.purchased]),
                """
                paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)  \
                \(TransactionLine(transaction: .purchased).text)
                """,
                """
                {"callback":"paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)",\
                "transaction":\(try TransactionLine(transaction: .purchased).json.text())}
                """
            ),
        ]
        for (change, text, json) in table {
            let lines = CallbackLine.lines(change)
            #expect(lines.map(\.text) == [text])
            #expect(try lines.map { try $0.json.text() } == [json])
        }
    }

    @Test func aRequestIsOneLine() throws {
        var request = AuthorizationRequest.sample(kind: .priceConsent)
        request.applicationUsername = "ann"
        #expect(
            RequestLine(request: request).text == """
                price consent  Coins (coins) ×2 for $9.98  id=00000000-0000-0000-0000-000000000001 \
                account=uid:1000 application=org.example.notes asked=2026-03-01T09:30:00.250Z \
                deadline=2026-03-01T09:40:00.250Z username=ann
                """
        )
        #expect(
            try RequestLine(request: request).json.text() == """
                {"account":"uid:1000","application":"org.example.notes","application_username":"ann",\
                "created_at":"2026-03-01T09:30:00.250Z","currency":"USD","deadline":"2026-03-01T09:40:00.250Z",\
                "display_name":"Coins","id":"00000000-0000-0000-0000-000000000001","kind":"price_consent",\
                "locale":"en-US","localized_price":"$9.98","price":"9.98","product_id":"coins","quantity":2}
                """
        )
    }

    @Test func anAnswerIsOneLine() throws {
        let line = AnswerLine(id: UUID(high: 0, low: 1), kind: .approval, outcome: .declinedAfterTimeout)
        #expect(line.text == "00000000-0000-0000-0000-000000000001  approval  declined after timeout")
        #expect(
            try line.json.text() == """
                {"id":"00000000-0000-0000-0000-000000000001","kind":"approval","outcome":"declined_after_timeout"}
                """
        )
    }

    @Test func aRestoreIsOneLine() throws {
        let line = RestoreLine(id: UUID(high: 0, low: 1), state: .running, restoredCount: 3, totalCount: 28)
        #expect(line.text == "00000000-0000-0000-0000-000000000001  running  3 of 28")
        #expect(
            try line.json.text() == """
                {"id":"00000000-0000-0000-0000-000000000001","restored_count":3,"state":"running","total_count":28}
                """
        )
        let error = PaymentError(.unknown, "Stopped.", reason: .stopped)
        let failed = RestoreLine(id: line.id, state: .failed, restoredCount: 3, totalCount: 28, error: error)
        #expect(failed.text.hasSuffix("3 of 28  \(ErrorLine(error: error).text)"))
        #expect(try failed.json.text().contains(#""error":{"code":0,"#))
    }

    @Test(arguments: [
        (amount: "4.9", currency: "USD", text: "4.90 USD"), ("4.99", "USD", "4.99 USD"), ("0", "USD", "0.00 USD"),
        ("500", "JPY", "500 JPY"), ("1.5", "KWD", "1.500 KWD"), ("1.999", "USD", "1.999 USD"),
        ("-3", "EUR", "-3.00 EUR"),
    ])
    func amountsHaveTheirDecimalsAndCurrency(amount: String, currency: String, text: String) throws {
        #expect(Price(amount: try #require(Decimal(string: amount)), currency: currency).plain == text)
    }

    @Test(arguments: [
        (count: 0, total: 4, text: "[..............................] 0 of 4"),
        (2, 4, "[###############...............] 2 of 4"),
        (4, 4, "[##############################] 4 of 4"),
        (5, 4, "[##############################] 5 of 4"),
    ])
    func progressIsABar(count: Int, total: Int, text: String) {
        #expect(ProgressBar.text(count, of: total) == text)
    }

    @Test func progressIsDrawnOnlyOnATerminal() {
        let shown = TestConsole.Lines()
        var console = TestConsole().console
        ProgressBar(console, total: 2).draw()
        console.show = { shown.append($0) }
        let bar = ProgressBar(console, total: 2)
        bar.step { shown.append("a line of output") }
        #expect(
            shown.values == [
                "\r\u{1B}[K", "a line of output", "\r\u{1B}[K[###############...............] 1 of 2",
            ]
        )
        ProgressBar(console, total: 0).draw()
        #expect(shown.values.count == 3, "an empty task needs no bar")
    }

    @Test func aBarIsDrawnOnlyWhenItAdvances() {
        let shown = TestConsole.Lines()
        var console = TestConsole().console
        console.show = { shown.append($0) }
        let bar = ProgressBar(console, total: 2, unit: "MiB")
        [0, 1, 1, 2].forEach(bar.advance)
        #expect(
            shown.values == [
                "\r\u{1B}[K[###############...............] 1 of 2 MiB",
                "\r\u{1B}[K[##############################] 2 of 2 MiB",
            ]
        )
    }
}
