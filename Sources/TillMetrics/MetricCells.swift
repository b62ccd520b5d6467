import CoreMetrics
import NIOConcurrencyHelpers

/// The values of one series.
protocol MetricCell: AnyObject, Sendable {
    var value: MetricFamilies.Value { get }
}

/// The value of a counter or gauge.
final class NumberCell: MetricCell {
    private let isCounter: Bool
    private let number = NIOLockedValueBox<Double>(0)

    init(isCounter: Bool) {
        self.isCounter = isCounter
    }

    var value: MetricFamilies.Value {
        .number(number.withLockedValue { $0 })
    }
}

extension NumberCell: CounterHandler, FloatingPointCounterHandler {
    func increment(by amount: Int64) {
        increment(by: Double(amount))
    }

    /// A counter ignores an amount that would let it fall, or that is not a number.
    func increment(by amount: Double) {
        if !isCounter || amount >= 0 {
            number.withLockedValue { $0 += amount }
        }
    }

    /// Prometheus takes a counter that begins again at 0 for one of a new process.
    func reset() {
        number.withLockedValue { $0 = 0 }
    }
}

extension NumberCell: MeterHandler, RecorderHandler {
    func set(_ value: Int64) {
        set(Double(value))
    }

    func set(_ value: Double) {
        number.withLockedValue { $0 = value }
    }

    func decrement(by amount: Double) {
        increment(by: -amount)
    }

    func record(_ value: Int64) {
        set(Double(value))
    }

    func record(_ value: Double) {
        set(value)
    }
}

/// The counts of a histogram.
struct HistogramState: Sendable, Equatable {
    /// One for each bucket, the last of which has no bound. They are not cumulative.
    var counts: [UInt64]
    var sum = 0.0

    var count: UInt64 {
        counts.reduce(0, +)
    }
}

/// The values of a histogram.
final class HistogramCell: MetricCell {
    private let bounds: [Double]
    private let state: NIOLockedValueBox<HistogramState>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = NIOLockedValueBox(HistogramState(counts: [UInt64](repeating: 0, count: bounds.count + 1)))
    }

    var value: MetricFamilies.Value {
        .histogram(state.withLockedValue { $0 })
    }
}

extension HistogramCell: RecorderHandler, TimerHandler {
    func record(_ value: Int64) {
        record(Double(value))
    }

    /// A value that is not finite is ignored, because it would make the sum useless permanently.
    func record(_ value: Double) {
        guard value.isFinite else {
            return
        }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLockedValue { state in
            state.counts[bucket] += 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) {
        record(Double(duration) / 1e9)
    }
}

/// Counts records that no series keeps.
final class DroppingHandler: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let counter: NumberCell

    init(counter: NumberCell) {
        self.counter = counter
    }

    private func drop() {
        counter.increment(by: Int64(1))
    }

    func increment(by amount: Int64) { drop() }
    func increment(by amount: Double) { drop() }
    func decrement(by amount: Double) { drop() }
    func reset() { drop() }
    func set(_ value: Int64) { drop() }
    func set(_ value: Double) { drop() }
    func record(_ value: Int64) { drop() }
    func record(_ value: Double) { drop() }
    func recordNanoseconds(_ duration: Int64) { drop() }
}
