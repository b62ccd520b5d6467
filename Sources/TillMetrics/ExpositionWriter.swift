import TillModel

/// Writes the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct ExpositionWriter {
    /// The media type of the text.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func begin(_ metric: Metric) {
        text += "# HELP \(metric.name) \(Self.escaped(metric.help))\n"
        text += "# TYPE \(metric.name) \(metric.kind.name)\n"
    }

    mutating func write(_ series: MetricFamilies.Series, of metric: Metric) {
        switch series.value {
        case .number(let value):
            line(metric.name, series.labels, value)
        case .histogram(let state):
            write(state, of: metric, series.labels)
        }
    }

    /// The buckets are cumulative: each counts all values up to its bound.
    private mutating func write(_ state: HistogramState, of metric: Metric, _ labels: [MetricLabel]) {
        var total: UInt64 = 0
        for (bound, count) in zip((metric.kind.bounds ?? []) + [.infinity], state.counts) {
            total += count
            line("\(metric.name)_bucket", labels + [MetricLabel(name: "le", value: Self.number(bound))], Double(total))
        }
        line("\(metric.name)_sum", labels, state.sum)
        line("\(metric.name)_count", labels, Double(total))
    }

    private mutating func line(_ name: String, _ labels: [MetricLabel], _ value: Double) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escapedLabel($0.value))\"" }
        text += pairs.isEmpty ? name : "\(name){\(pairs.joined(separator: ","))}"
        text += " \(Self.number(value))\n"
    }

    /// A number as Go reads it.
    static func number(_ value: Double) -> String {
        guard value.isFinite else {
            return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf"
        }
        return Int64(exactly: value).map { String($0) } ?? "\(value)"
    }

    /// A text of a HELP line.
    static func escaped(_ text: String) -> String {
        escaped(text, also: nil)
    }

    /// The value of a label, between its quotes.
    static func escapedLabel(_ text: String) -> String {
        escaped(text, also: "\"")
    }

    private static func escaped(_ text: String, also quote: Character?) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            // One character, of which the format escapes only the second half.
            case "\r\n": escaped += "\r\\n"
            case quote: escaped += "\\\(character)"
            default: escaped.append(character)
            }
        }
    }
}
