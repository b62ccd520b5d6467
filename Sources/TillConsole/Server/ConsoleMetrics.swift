package import TillModel

/// The daemon's metrics, as the operator page needs them.
package struct ConsoleMetrics: Sendable {
    /// Returns them in Prometheus's text format.
    let text: @Sendable () async -> String
    /// Returns their values, without the buckets of histograms.
    let samples: @Sendable () async -> [MetricSample]

    package init(
        text: @escaping @Sendable () async -> String,
        samples: @escaping @Sendable () async -> [MetricSample]
    ) {
        self.text = text
        self.samples = samples
    }
}
