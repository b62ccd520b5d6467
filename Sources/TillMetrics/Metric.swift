/// A description of a metric: everything about it except its values.
///
/// The set of metrics is ``all``, and each label has a fixed set of values, so that no input can make the set of series grow.
package struct Metric: Hashable, Sendable {
    /// The maximum number of series of one metric: combinations of its labels' values.
    package static let seriesMaximum = 192

    package enum Kind: Hashable, Sendable {
        /// Only rises, and begins at 0 with the process.
        case counter
        case gauge
        /// Counts values by these inclusive upper bounds, in rising order; a last bucket without a bound is implied.
        case histogram([Double])
    }

    /// The base unit of the values; its name is a part of the metric's name.
    package enum Unit: String, Hashable, Sendable {
        case none = ""
        case seconds
        case bytes
    }

    package struct Label: Hashable, Sendable {
        package var name: String
        package var values: [String]

        /// A label whose values are the raw values of an enumeration.
        init<Value: CaseIterable & RawRepresentable<String>>(_ name: String, _ values: Value.Type) {
            self.name = name
            self.values = values.allCases.map(\.rawValue)
        }

        /// A label with one value, which is the same as long as the process runs.
        init(_ name: String, _ value: String) {
            self.name = name
            values = [value]
        }
    }

    package let name: String
    package let kind: Kind
    package let unit: Unit
    package let labels: [Label]
    /// A sentence for people.
    package let help: String

    init(_ name: String, _ kind: Kind, unit: Unit = .none, labels: [Label] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.labels = labels
        self.help = help
    }

    package static func == (left: Metric, right: Metric) -> Bool {
        left.name == right.name
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }

    /// How many series the labels allow.
    package var seriesAllowed: Int {
        labels.reduce(1) { $0 * $1.values.count }
    }

    /// The labels with these values, in their order, as the dimensions of swift-metrics.
    package func labels(_ values: String...) -> [(String, String)] {
        zip(labels, values).map { ($0.name, $1) }
    }

    /// Whether these are values of all of its labels, in their order.
    func allows(_ labels: [(String, String)]) -> Bool {
        labels.count == self.labels.count
            && zip(labels, self.labels).allSatisfy { $0.0 == $1.name && $1.values.contains($0.1) }
    }
}

extension Metric.Kind {
    /// The name of the type in the text format.
    package var name: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    /// The upper bounds of a histogram's buckets.
    var bounds: [Double]? {
        guard case .histogram(let bounds) = self else {
            return nil
        }
        return bounds
    }
}
