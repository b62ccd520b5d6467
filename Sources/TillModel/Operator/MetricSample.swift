/// A value of one of the daemon's metrics.
///
/// The names and labels are those of the daemon's page of metrics. Of a histogram, there are the sum and the count.
public struct MetricSample: Hashable, Sendable {
    public var name: String
    public var labels: [MetricLabel]
    public var value: Double

    public init(name: String, labels: [MetricLabel] = [], value: Double) {
        self.name = name
        self.labels = labels
        self.value = value
    }
}

/// What distinguishes the values of one metric.
public struct MetricLabel: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
