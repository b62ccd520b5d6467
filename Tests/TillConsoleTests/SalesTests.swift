import FoundationEssentials
import Testing
import TillModel
@testable import TillConsole

/// Charges and refunds become figures of days, and these become bars and tables.
@Suite struct SalesTests {
    /// 2027-01-15 08:00 in UTC.
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day = 86_400.0

    private static func entry(
        _ kind: LedgerEntry.Kind,
        _ id: UUID,
        daysAgo: Double,
        amount: Int64,
        product: String = "coins",
        currency: String = "USD"
    ) -> LedgerEntry {
        LedgerEntry(
            date: now - daysAgo * day,
            kind: kind,
            paymentID: id,
            application: "org.example.notes",
            account: "uid:1",
            productID: product,
            quantity: 1,
            amount: amount,
            currency: currency
        )
    }

    @Test func aRefundCountsOnTheDayOfItsPurchase() throws {
        var sales = Sales(until: Self.now)
        let (first, second) = (UUID(), UUID())
        sales.add(Self.entry(.charge, first, daysAgo: 3, amount: 500))
        sales.add(Self.entry(.refund, first, daysAgo: 0, amount: 200))
        sales.add(Self.entry(.charge, second, daysAgo: 0, amount: 100))
        let days = try #require(sales.items[Sales.Item(productID: "coins", currency: "USD")])
        #expect(days.count == Sales.dayCount)
        #expect(days.map(\.purchases).suffix(4) == [1, 0, 0, 1])
        #expect(days.map(\.net).suffix(4) == [300, 0, 0, 100])
        #expect(sales.day(Sales.dayCount - 1) == Self.now - 8 * 3600)
    }

    /// Days begin at midnight in UTC: eight hours ago was today, and nine hours ago was yesterday.
    @Test(arguments: [(hours: 8.0, day: 29 as Int?), (8.1, 28), (704, 0), (704.1, nil), (-100, 29)])
    func aPurchaseIsOnItsDay(hours: Double, day: Int?) {
        var sales = Sales(until: Self.now)
        sales.add(Self.entry(.charge, UUID(), daysAgo: hours / 24, amount: 1))
        let days = sales.items.first?.value
        #expect(days?.firstIndex { $0.purchases == 1 } == day)
    }

    @Test(arguments: [1e300, -1e300, Double.infinity, .nan])
    func anyDateAndAmountCanBeAdded(daysAgo: Double) {
        var sales = Sales(until: Self.now)
        for _ in 0..<3 {
            sales.add(Self.entry(.charge, UUID(), daysAgo: daysAgo, amount: .max))
            sales.add(Self.entry(.charge, UUID(), daysAgo: 0, amount: .max))
        }
        #expect(SalesPage(sales: sales).html.text.contains("92233720368547758.07 USD"))
    }

    @Test func thePageHasPicturesAndTablesOfEachCurrency() {
        var sales = Sales(until: Self.now)
        let id = UUID()
        sales.add(Self.entry(.charge, id, daysAgo: 1, amount: 1250, product: "<pro>"))
        sales.add(Self.entry(.refund, id, daysAgo: 0, amount: 250, product: "<pro>"))
        for _ in 0..<2 {
            sales.add(Self.entry(.charge, UUID(), daysAgo: 0, amount: 300, currency: "JPY"))
        }
        let html = SalesPage(sales: sales).html.text
        #expect(html.contains("10.00 USD after 2.50 USD given back; at most 10.00 USD a day"), "\(html)")
        #expect(html.contains("2 purchases; at most 2 a day"))
        #expect(html.contains("&lt;pro&gt;") && !html.contains("<pro>"))
        #expect(html.ranges(of: "<rect").count == 6, "revenue, purchases and one product in each currency: \(html)")
        #expect(html.contains("<rect x=\"298.7\" y=\"2.0\""), "the bar of yesterday has the full height: \(html)")
        let (yen, dollars) = (html.firstRange(of: "<h2>JPY"), html.firstRange(of: "<h2>USD"))
        #expect(yen.map(\.lowerBound) ?? html.endIndex < dollars.map(\.lowerBound) ?? html.startIndex)
    }

    @Test func nothingWasSold() {
        #expect(SalesPage(sales: Sales(until: Self.now)).html.text.contains("Nothing was sold."))
    }
}
