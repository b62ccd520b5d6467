package import TillModel

/// The values of metrics at one time.
package struct MetricFamilies: Sendable {
    enum Value: Sendable {
        case number(Double)
        case histogram(HistogramState)
    }

    struct Series: Sendable {
        var labels: [MetricLabel]
        var value: Value
    }

    private(set) var series: [Metric: [Series]] = [:]

    package init() {}

    /// Adds a series of a counter or gauge.
    ///
    /// - Parameter labels: Values of the metric's labels, in their order.
    package mutating func add(_ metric: Metric, _ labels: String..., value: Double) {
        add(metric, zip(metric.labels, labels).map { ($0.name, $1) }, .number(value))
    }

    package mutating func add(_ metric: Metric, _ labels: String..., value: some BinaryInteger) {
        add(metric, zip(metric.labels, labels).map { ($0.name, $1) }, .number(Double(value)))
    }

    mutating func add(_ metric: Metric, _ labels: [(String, String)], _ value: Value) {
        assert(metric.allows(labels), "\(metric.name) has no labels \(labels).")
        let labels = labels.map { MetricLabel(name: $0.0, value: $0.1) }
        series[metric, default: []].append(Series(labels: labels, value: value))
    }

    /// The series in the order of the table; those of one metric by the values of their labels.
    private var ordered: [(metric: Metric, series: [Series])] {
        Metric.all.compactMap { metric in
            series[metric].map { series in
                (metric, series.sorted { Self.key($0.labels).lexicographicallyPrecedes(Self.key($1.labels)) })
            }
        }
    }

    private static func key(_ labels: [MetricLabel]) -> [String] {
        labels.map(\.value)
    }

    /// The finite values, without the buckets of histograms, of which only sum and count remain.
    package var samples: [MetricSample] {
        ordered.flatMap { metric, series in series.flatMap { Self.samples($0, of: metric) } }.filter(\.value.isFinite)
    }

    private static func samples(_ series: Series, of metric: Metric) -> [MetricSample] {
        switch series.value {
        case .number(let value):
            [MetricSample(name: metric.name, labels: series.labels, value: value)]
        case .histogram(let state):
            [
                MetricSample(name: "\(metric.name)_sum", labels: series.labels, value: state.sum),
                MetricSample(name: "\(metric.name)_count", labels: series.labels, value: Double(state.count)),
            ]
        }
    }

    /// The series in Prometheus's text format, version 0.0.4.
    package var text: String {
        var writer = ExpositionWriter()
        for (metric, series) in ordered {
            writer.begin(metric)
            series.forEach { writer.write($0, of: metric) }
        }
        return writer.text
    }
}
