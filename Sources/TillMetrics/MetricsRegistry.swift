package import CoreMetrics
import NIOConcurrencyHelpers

/// Keeps the values of the metrics in ``Metric/all`` in memory.
///
/// A handler for another name, kind or label value keeps nothing: it counts its records in ``Metric/droppedRecords``. Two
/// handlers of the same series share their values. A record takes the lock of its series and allocates nothing.
package final class MetricsRegistry: MetricsFactory {
    private struct Key: Hashable {
        var name: String
        var values: [String]
    }

    private let metrics = Dictionary(Metric.all.map { ($0.name, $0) }) { first, _ in first }
    private let cells = NIOLockedValueBox<[Key: any MetricCell]>([:])
    private let dropped = NumberCell(isCounter: true)

    package init() {}

    /// The values now.
    package var families: MetricFamilies {
        var families = MetricFamilies()
        families.add(.droppedRecords, [], dropped.value)
        for (key, cell) in cells.withLockedValue({ $0 }) {
            if let metric = metrics[key.name] {
                families.add(metric, zip(metric.labels, key.values).map { ($0.name, $1) }, cell.value)
            }
        }
        return families
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        number(label, dimensions, isCounter: true) ?? DroppingHandler(counter: dropped)
    }

    package func makeFloatingPointCounter(label: String, dimensions: [(String, String)])
        -> any FloatingPointCounterHandler
    {
        number(label, dimensions, isCounter: true) ?? DroppingHandler(counter: dropped)
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        number(label, dimensions, isCounter: false) ?? DroppingHandler(counter: dropped)
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else {
            return number(label, dimensions, isCounter: false) ?? DroppingHandler(counter: dropped)
        }
        return histogram(label, dimensions) ?? DroppingHandler(counter: dropped)
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? DroppingHandler(counter: dropped)
    }

    /// Series last as long as the process: their number is bounded.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func number(_ name: String, _ labels: [(String, String)], isCounter: Bool) -> NumberCell? {
        cell(name, labels, where: { ($0 == .counter) == isCounter && $0.bounds == nil }) { _ in
            NumberCell(isCounter: isCounter)
        }
    }

    private func histogram(_ name: String, _ labels: [(String, String)]) -> HistogramCell? {
        cell(name, labels, where: { $0.bounds != nil }) { HistogramCell(bounds: $0.bounds ?? []) }
    }

    /// The cell of a series of the table, which is new the first time; nil if the table has no such series.
    private func cell<Cell: MetricCell>(
        _ name: String,
        _ labels: [(String, String)],
        where isKind: (Metric.Kind) -> Bool,
        make: (Metric.Kind) -> Cell
    ) -> Cell? {
        guard let metric = metrics[name], isKind(metric.kind), metric.allows(labels) else {
            return nil
        }
        return cells.withLockedValue { cells in
            let key = Key(name: name, values: labels.map(\.1))
            if let cell = cells[key] {
                return cell as? Cell
            }
            let cell = make(metric.kind)
            cells[key] = cell
            return cell
        }
    }
}
