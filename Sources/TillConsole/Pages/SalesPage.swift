import FoundationEssentials
import TillModel
import TillOutput

/// Purchases and revenue of each day, in pictures and as tables.
struct SalesPage {
    /// Products with a picture of their own, and rows of the table of products.
    private static let picturesMaximum = 12
    private static let rowsMaximum = 100

    let sales: Sales

    var html: HTML {
        let sentence: HTML = """
            <p>The last \(Sales.dayCount) days in UTC, up to \(HTML.date(sales.date)). A refund counts on the day of its \
            purchase. For accounting, use <code>till export</code>.</p>
            """
        guard !sales.items.isEmpty else {
            return "<h1>Sales</h1>\(sentence)<p class=\"none\">Nothing was sold.</p>"
        }
        return "<h1>Sales</h1>\(sentence)\(currencies.map(part(of:)))"
    }

    /// The currencies, the one with most purchases first.
    private var currencies: [String] {
        let counts = sales.items.reduce(into: [:]) { counts, item in
            counts[item.key.currency, default: 0] += item.value.reduce(0) { $0 + $1.purchases }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    /// The plots and tables of a currency.
    private func part(of currency: String) -> HTML {
        let products = sales.items.filter { $0.key.currency == currency }
            .map { (id: $0.key.productID, days: $0.value, sum: $0.value.reduce(Sales.Figures(), +)) }
            .sorted { ($1.sum.net, $0.id) < ($0.sum.net, $1.id) }
        let days = products.reduce(Array(repeating: Sales.Figures(), count: Sales.dayCount)) { sums, product in
            zip(sums, product.days).map { $0 + $1 }
        }
        let sum = days.reduce(Sales.Figures(), +)
        let all = [
            BarPlot(
                title: "Revenue",
                description: money(sum, currency) + most(days.map { Self.text($0.net, currency) }, by: days.map(\.net)),
                values: days.map { Double($0.net) }
            ).html,
            BarPlot(
                title: "Purchases",
                description: Self.count(sum.purchases)
                    + most(days.map { "\($0.purchases)" }, by: days.map(\.purchases)),
                values: days.map { Double($0.purchases) }
            ).html,
        ]
        let each = products.prefix(Self.picturesMaximum).map { product in
            BarPlot(
                title: product.id,
                description: "\(Self.count(product.sum.purchases)), \(money(product.sum, currency))",
                values: product.days.map { Double($0.purchases) }
            ).html
        }
        return """
            <h2>\(currency)</h2><div class="plots">\(all)</div>\
            <h2>Purchases of each product, in \(currency)</h2><div class="plots">\(each)</div>\
            \(table(products.map { ($0.id, $0.sum) }, currency))\
            <details><summary>Each day in \(currency)</summary>\(table(days, currency))</details>
            """
    }

    private func table(_ products: [(id: String, sum: Sales.Figures)], _ currency: String) -> HTML {
        let rows = products.prefix(Self.rowsMaximum).map { ["\($0.id)" as HTML] + cells($0.sum, currency) }
        return HTML.table("Products in \(currency)", ["Product"] + Self.headings, Array(rows), orElse: "")
    }

    private func table(_ days: [Sales.Figures], _ currency: String) -> HTML {
        let rows = days.enumerated().reversed().map { index, figures -> [HTML] in
            ["\(String(sales.day(index).timestamp.prefix(10)))" as HTML] + cells(figures, currency)
        }
        return HTML.table("Days in \(currency)", ["Day"] + Self.headings, rows, orElse: "")
    }

    private static let headings = ["Purchases", "Charged", "Given back", "Revenue"]

    private func cells(_ figures: Sales.Figures, _ currency: String) -> [HTML] {
        ["\(figures.purchases)" as HTML]
            + [figures.charged, figures.refunded, figures.net].map { "\(Self.text($0, currency))" as HTML }
    }

    private func money(_ figures: Sales.Figures, _ currency: String) -> String {
        let back = figures.refunded > 0 ? " after \(Self.text(figures.refunded, currency)) given back" : ""
        return "\(Self.text(figures.net, currency))\(back)"
    }

    /// The scale of a picture: the figure of the day that has the highest bar.
    private func most(_ texts: [String], by values: [some Comparable]) -> String {
        zip(texts, values).max { $0.1 < $1.1 }.map { "; at most \($0.0) a day" } ?? ""
    }

    private static func text(_ amount: Int128, _ currency: String) -> String {
        Price(minorUnits: Int64(clamping: amount), currency: currency).plain
    }

    private static func count(_ purchases: Int) -> String {
        purchases == 1 ? "1 purchase" : "\(purchases) purchases"
    }
}

/// A bar for each day, with the highest as the scale. It is readable without colour, and its description says what it shows.
struct BarPlot {
    private static let width = 320.0
    private static let height = 72.0

    let title: String
    let description: String
    let values: [Double]

    var html: HTML {
        let highest = values.max() ?? 0
        let step = Self.width / Double(max(values.count, 1))
        let bars = values.enumerated().compactMap { index, value -> HTML? in
            guard value > 0, highest > 0 else {
                return nil
            }
            let height = max(value / highest * Self.height, 1)
            let place = (Double(index) * step, 74 - height, step * 0.8, height)
            return """
                <rect x="\(Plot.coordinate(place.0))" y="\(Plot.coordinate(place.1))" \
                width="\(Plot.coordinate(place.2))" height="\(Plot.coordinate(place.3))"/>
                """
        }
        return Plot.figure(title, description, Array(bars))
    }
}
