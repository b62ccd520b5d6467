package import TillModel

/// The daemon's metrics at one time.
package struct MetricReading: Sendable {
    package let samples: [MetricSample]

    package init(samples: [MetricSample]) {
        self.samples = samples
    }

    /// The value of a counter or gauge, summed over the series that have the label; nil without any.
    package func value(_ metric: Metric, _ name: String? = nil, _ value: String? = nil) -> Double? {
        sum(metric.name) { labels in
            name == nil || labels.contains { $0.name == name && $0.value == value }
        }
    }

    /// How many values a histogram has counted.
    package func count(of metric: Metric) -> Double? {
        sum("\(metric.name)_count") { _ in true }
    }

    /// The sum of a histogram's values.
    package func total(of metric: Metric) -> Double? {
        sum("\(metric.name)_sum") { _ in true }
    }

    /// The greatest value of the metric's series.
    package func maximum(_ metric: Metric) -> Double? {
        samples.filter { $0.name == metric.name }.map(\.value).max()
    }

    /// The values of a metric with one label, in the order of the label's values, without those that are 0.
    package func values(of metric: Metric) -> [(label: String, value: Double)] {
        let found = samples.filter { $0.name == metric.name && $0.value != 0 }
        return (metric.labels.first?.values ?? []).flatMap { label in
            found.filter { $0.labels.first?.value == label }.map { (label, $0.value) }
        }
    }

    private func sum(_ name: String, where isWanted: ([MetricLabel]) -> Bool) -> Double? {
        let found = samples.filter { $0.name == name && isWanted($0.labels) }
        return found.isEmpty ? nil : found.reduce(0) { $0 + $1.value }
    }
}

/// What changed between two readings, for each second.
package struct MetricRates: Sendable {
    package let before: MetricReading
    package let after: MetricReading
    package let seconds: Double

    package init(before: MetricReading, after: MetricReading, seconds: Double) {
        self.before = before
        self.after = after
        self.seconds = seconds
    }

    /// Nil if a reading lacks the value.
    ///
    /// A counter that fell belongs to a daemon that started in between: it counted from 0.
    package func rate(_ read: (MetricReading) -> Double?) -> Double? {
        guard seconds > 0, let first = read(before), let last = read(after) else {
            return nil
        }
        return (last < first ? last : last - first) / seconds
    }

    /// The mean of the values that a histogram got in between; nil without any.
    package func mean(of metric: Metric) -> Double? {
        guard let count = rate({ $0.count(of: metric) }), count > 0, let total = rate({ $0.total(of: metric) }) else {
            return nil
        }
        return total / count
    }
}
