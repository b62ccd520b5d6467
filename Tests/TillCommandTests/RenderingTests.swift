import Foundation
import Testing
import TillClient
import TillModel
import TillOutput
@testable import TillCommand

@Suite struct RenderingTests {
    @Test(arguments: [
        (amount: "4.99", currency: "USD", locale: "en-US", text: "$4.99"),
        ("1234.5", "USD", "en-US", "$1,234.50"),
        ("4.99", "EUR", "de-DE", "4,99 €"),
        ("0", "USD", "en-US", "$0.00"),
        ("500", "JPY", "ja-JP", "¥500"),
        ("1.234", "KWD", "en-US", "KWD 1.234"),
    ])
    func pricesAreWrittenInTheLocale(amount: String, currency: String, locale: String, text: String) throws {
        let price = Price(amount: try #require(Decimal(string: amount)), currency: currency)
        // Foundation writes no-break spaces.
        #expect(price.localized(locale).replacing("\u{A0}", with: " ") == text)
    }

    @Test(arguments: [
        (milliseconds: Int64(0), text: "1970-01-01T00:00:00.000Z"),
        (1_772_357_400_250, "2026-03-01T09:30:00.250Z"),
        (1_772_357_400_999, "2026-03-01T09:30:00.999Z"),
        (1_772_357_400_001, "2026-03-01T09:30:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func datesAreInUTCWithMilliseconds(milliseconds: Int64, text: String) {
        #expect(Date(millisecondsSince1970: milliseconds).timestamp == text)
    }

    @Test func everyMillisecondIsExact() {
        let written = (0..<1000).map { Date(millisecondsSince1970: 1_772_357_400_000 + $0).timestamp }
        let expected = (0..<1000).map { number in
            "2026-03-01T09:30:00.\(String(repeating: "0", count: 3 - "\(number)".count))\(number)Z"
        }
        #expect(written == expected)
    }

    @Test func aPurchasedTransactionIsOneLine() throws {
        #expect(
            TransactionLine(transaction: .purchased).text == """
                coins ×2  purchased  id=00000000-0000-0000-0000-000000000001 identifier=17 revision=5 \
                date=2026-03-01T09:30:00.250Z username=ann
                """
        )
        #expect(
            try TransactionLine(transaction: .purchased).json.text() == """
                {"application_username":"ann","id":"00000000-0000-0000-0000-000000000001","is_finished":false,\
                "product_id":"coins","quantity":2,"revision":5,"state":"purchased",\
                "transaction_date":"2026-03-01T09:30:00.250Z","transaction_identifier":"17"}
                """
        )
    }

    @Test func aFailedTransactionHasItsErrorAndAdvice() throws {
        #expect(
            TransactionLine(transaction: .failed).text == """
                coins ×1  failed  id=00000000-0000-0000-0000-000000000002 revision=6  unknown (0, provider code \
                card_declined): The card was declined; no money moved; a new payment is safe.
                """
        )
        #expect(
            try TransactionLine(transaction: .failed).json.text() == """
                {"error":{"code":0,"message":"The card was declined.","money_moved":"no","name":"unknown",\
                "provider_code":"card_declined","reason":"unspecified","retry":"safe"},"id":"00000000-0000-0000-0000-000000000002",\
                "is_finished":false,"product_id":"coins","quantity":1,"revision":6,"state":"failed"}
                """
        )
    }

    @Test func aRestoredTransactionNamesItsOriginal() throws {
        #expect(TransactionLine(transaction: .restored).text.contains(" original=17"))
        let json = try TransactionLine(transaction: .restored).json.text()
        #expect(
            json.contains(
                """
                "original":{"id":"00000000-0000-0000-0000-000000000001",\
                "transaction_date":"2026-03-01T09:30:00.250Z","transaction_identifier":"17"}
                """
            )
        )
    }

    @Test(arguments: [
        (MoneyMoved.no, RetrySafety.safe, "no money moved; a new payment is safe."),
        (.yes, .never, "money moved; do not retry it."),
        (
            .unknown, .afterReconciliation,
            "it is unknown whether money moved; retry only after an operator has checked the provider's records."
        ),
    ])
    func anErrorSaysWhetherMoneyMoved(moved: MoneyMoved, retry: RetrySafety, ending: String) {
        let error = PaymentError(.paymentInvalid, "Wrong.", moneyMoved: moved, retry: retry)
        #expect(ErrorLine(error: error).text == "paymentInvalid (3): Wrong; \(ending)")
    }

    @Test func everyChangeHasTheNameOfItsCallback() throws {
        let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000009"))
        let error = PaymentError(.clientInvalid, "No.")
        let table: [(Change, [String])] = [
            (.updated([.purchased, .failed]), Array(repeating: "paymentQueue(_:updatedTransactions:)", count: 2)),
            (.removed([.restored]), ["paymentQueue(_:removedTransactions:)"]),
            (.restoreFinished(id: id, count: 3), ["paymentQueueRestoreCompletedTransactionsFinished(_:)"]),
            (
                .restoreFailed(id: id, error: error),
                ["paymentQueue(_:restoreCompletedTransactionsFailedWithError:)"]
            ),
            (.initialDeliveryEnded, ["paymentQueueInitialDeliveryEnded(_:)"]),
            (.connection(.connected), []),
        ]
        for (change, names) in table {
            let lines = CallbackLine.lines(change)
            #expect(lines.map(\.callback.rawValue) == names)
            for (line, name) in zip(lines, names) {
                #expect(line.text.hasPrefix(name))
                #expect(try line.json.text().hasPrefix(#"{"callback":"\#(name)""#))
            }
        }
    }

    @Test func theEndOfARestoreIsOneLine() throws {
        let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000009"))
        let finished = CallbackLine.lines(.restoreFinished(id: id, count: 3))
        #expect(finished.map(\.text) == ["paymentQueueRestoreCompletedTransactionsFinished(_:)  3 restored"])
        #expect(
            try finished.map { try $0.json.text() } == [
                """
                {"callback":"paymentQueueRestoreCompletedTransactionsFinished(_:)",\
                "restore_id":"00000000-0000-0000-0000-000000000009","restored_count":3}
                """
            ]
        )
    }

    @Test func aProductHasAnExactAndALocalisedPrice() throws {
        let product = Product(
            id: "sync",
            type: .autoRenewableSubscription,
            displayName: "Sync",
            description: "Everywhere.",
            price: Price(amount: try #require(Decimal(string: "1.99")), currency: "USD"),
            locale: "en-US",
            subscription: SubscriptionInfo(
                groupID: "g",
                groupName: "Group",
                level: 1,
                period: SubscriptionPeriod(unit: .month, value: 3),
                offers: try Self.offers()
            )
        )
        let offers =
            "1 week free (introductory); $0.99 each month for 3 months (promotional winter); "
            + "$1.50 for 2 years (win back spring)"
        #expect(
            ProductLine(product: product).columns
                == ["sync", "auto-renewable subscription", "Sync", "$1.99", offers, ""]
        )
        #expect(
            try ProductLine(product: product).json.text() == """
                {"currency":"USD","description":"Everywhere.","display_name":"Sync","id":"sync",\
                "is_family_shareable":false,"locale":"en-US","localized_price":"$1.99","price":"1.99",\
                "subscription":{"group_id":"g","group_name":"Group","level":1,"offers":[\
                {"localized_price":"$0.00","payment_mode":"free_trial","period":"P1W","period_count":1,"price":"0",\
                "type":"introductory"},\
                {"id":"winter","localized_price":"$0.99","payment_mode":"pay_as_you_go","period":"P1M",\
                "period_count":3,"price":"0.99","type":"promotional"},\
                {"id":"spring","localized_price":"$1.50","payment_mode":"pay_up_front","period":"P1Y",\
                "period_count":2,"price":"1.5","type":"win_back"}],"period":"P3M"},\
                "type":"auto_renewable_subscription"}
                """
        )
    }

    private static func offers() throws -> [SubscriptionOffer] {
        [
            SubscriptionOffer(
                id: nil,
                type: .introductory,
                paymentMode: .freeTrial,
                price: Price(amount: 0, currency: "USD"),
                period: SubscriptionPeriod(unit: .week, value: 1),
                periodCount: 1
            ),
            SubscriptionOffer(
                id: "winter",
                type: .promotional,
                paymentMode: .payAsYouGo,
                price: Price(amount: try #require(Decimal(string: "0.99")), currency: "USD"),
                period: SubscriptionPeriod(unit: .month, value: 1),
                periodCount: 3
            ),
            SubscriptionOffer(
                id: "spring",
                type: .winBack,
                paymentMode: .payUpFront,
                price: Price(amount: try #require(Decimal(string: "1.5")), currency: "USD"),
                period: SubscriptionPeriod(unit: .year, value: 1),
                periodCount: 2
            ),
        ]
    }

    @Test(arguments: [
        (SubscriptionPeriod(unit: .day, value: 3), "P3D"), (SubscriptionPeriod(unit: .week, value: 1), "P1W"),
        (SubscriptionPeriod(unit: .month, value: 6), "P6M"), (SubscriptionPeriod(unit: .year, value: 1), "P1Y"),
    ])
    func periodsAreDurationsOfISO8601(period: SubscriptionPeriod, text: String) {
        #expect(period.iso8601 == text)
    }
}
