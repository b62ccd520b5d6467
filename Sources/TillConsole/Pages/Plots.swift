import FoundationEssentials
import TillOutput

/// Plots of the last hour, each a line with its scale in words, and the latest figures as a table.
struct Plots {
    /// Rows of the table: the last five minutes.
    private static let rowsMaximum = 30

    let points: [FigureHistory.Point]

    var html: HTML {
        guard points.count > 1 else {
            return "<h2>The last hour</h2><p class=\"none\">The first figures come in ten seconds.</p>"
        }
        let plots = FigureHistory.Series.allCases.map { Plot(series: $0, points: points).html }
        return """
            <h2>The last hour</h2><div class="plots">\(plots)</div>\
            <details><summary>Figures of the last five minutes</summary>\(table)</details>
            """
    }

    private var table: HTML {
        let series = FigureHistory.Series.allCases
        let rows = points.suffix(Self.rowsMaximum).reversed().map { point -> [HTML] in
            [HTML.date(point.date)] + series.map { "\($0.text(point.values[$0]))" }
        }
        return HTML.table("Figures", ["When"] + series.map(\.title), rows, orElse: "There are none.")
    }
}

/// One series as a line. It is readable without colour, and its description has the figures that it shows.
struct Plot {
    private static let width = 316.0
    private static let height = 72.0

    let series: FigureHistory.Series
    let points: [FigureHistory.Point]

    private var values: [Double?] {
        points.map { $0.values[series] }
    }

    var html: HTML {
        let highest = values.compactMap(\.self).max()
        let description = "now \(series.text(values.last ?? nil)), at most \(series.text(highest))"
        let lines = Self.lines(values, highest: highest ?? 0).map { "<polyline points=\"\($0)\"/>" as HTML }
        return Self.figure(series.title, description, lines)
    }

    /// A picture with a title and a description, above a base line.
    static func figure(_ title: String, _ description: String, _ shapes: [HTML]) -> HTML {
        """
        <figure><figcaption><b>\(title)</b> \(description)</figcaption>\
        <svg viewBox="0 0 320 76" role="img" aria-label="\(title): \(description)">\
        <line x1="0" y1="74" x2="320" y2="74"/>\(shapes)</svg></figure>
        """
    }

    /// The points of lines, which have gaps where there are no values. The right end is now; the top is the highest value.
    private static func lines(_ values: [Double?], highest: Double) -> [String] {
        let step = width / Double(FigureHistory.pointsMaximum - 1)
        let left = 2 + width - step * Double(values.count - 1)
        var lines: [[String]] = [[]]
        for (index, value) in values.enumerated() {
            guard let value else {
                lines.append([])
                continue
            }
            let y = 2 + height - (highest > 0 ? value / highest * height : 0)
            lines[lines.count - 1].append("\(coordinate(left + step * Double(index))),\(coordinate(y))")
        }
        return lines.filter { !$0.isEmpty }.map { $0.count == 1 ? "\($0[0]) \($0[0])" : $0.joined(separator: " ") }
    }

    static func coordinate(_ value: Double) -> String {
        value.withOneDecimal ?? "0"
    }
}

extension FigureHistory.Series {
    var title: String {
        switch self {
        case .unfinished: "Unfinished transactions"
        case .oldest: "Oldest unfinished"
        case .commands: "Commands stored"
        case .commitTime: "Mean time of a commit"
        case .callTime: "Mean time of a provider call"
        }
    }

    /// A value with its unit.
    func text(_ value: Double?) -> String {
        guard let value, (0...1e15).contains(value) else {
            return "–"
        }
        switch self {
        case .unfinished: return "\(Int64(value.rounded()))"
        case .oldest: return Duration.seconds(Int64(value.rounded())).spanText
        case .commands: return "\(value.withOneDecimal ?? "–")/s"
        case .commitTime, .callTime: return "\(value.withOneDecimal ?? "–") ms"
        }
    }
}
