import Foundation
import Histogram

/// The measurements of a run, or the medians of several runs.
struct Figures: Codable, Sendable {
    /// Latencies are in units of 100 ns.
    private static let unitsPerMicrosecond = 10.0

    let perSecond: Double
    let p50: Double
    let p99: Double
    let p999: Double

    /// - Parameter samples: The file of latencies.
    init(_ report: LoadReport, samples: URL) throws {
        let data = try Data(contentsOf: samples)
        guard report.errors == 0 else {
            throw BenchError("\(report.errors) answers were errors.")
        }
        guard report.seconds > 0, !data.isEmpty else {
            throw BenchError("No request was answered during the measurement.")
        }
        var histogram = Histogram<UInt64>(
            highestTrackableValue: UInt64(UInt32.max),
            numberOfSignificantValueDigits: .three
        )
        unsafe data.withUnsafeBytes { bytes in
            unsafe bytes.bindMemory(to: UInt32.self).forEach { histogram.record(UInt64($0)) }
        }
        let counted = report.events > 0 ? report.events : report.operations
        perSecond = Double(counted) / report.seconds
        p50 = Double(histogram.valueAtPercentile(50)) / Self.unitsPerMicrosecond
        p99 = Double(histogram.valueAtPercentile(99)) / Self.unitsPerMicrosecond
        p999 = Double(histogram.valueAtPercentile(99.9)) / Self.unitsPerMicrosecond
    }

    /// Makes the medians of each figure; nil if there are no runs.
    init?(mediansOf all: [Figures]) {
        func median(_ figure: (Figures) -> Double) -> Double {
            let sorted = all.map(figure).sorted()
            return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        }
        guard !all.isEmpty else {
            return nil
        }
        perSecond = median(\.perSecond)
        p50 = median(\.p50)
        p99 = median(\.p99)
        p999 = median(\.p999)
    }
}
