import Foundation
import Testing

@testable import TillMetrics

@Suite("The table of metrics")
struct MetricTableTests {
    /// Samples of histograms in an answer with metrics: a sum and a count for each series.
    private static let samplesOfHistogram = 2
    /// `WireProtocol.metricSamplesMaximum`, which TillMetrics does not know.
    private static let samplesMaximum = 400

    @Test func namesAreUnique() {
        #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
        #expect(Metric.all.count > 30)
    }

    @Test(arguments: Metric.all)
    func theNameFollowsThePrometheusRules(_ metric: Metric) {
        #expect(metric.name.wholeMatch(of: /(till|process)(_[a-z]+)+/) != nil)
        #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter))
        let base = metric.name.replacing(/_total$/, with: "")
        for unit in [Metric.Unit.seconds, .bytes] {
            #expect(base.hasSuffix("_\(unit.rawValue)") == (metric.unit == unit))
        }
    }

    @Test(arguments: Metric.all)
    func theHelpIsASentence(_ metric: Metric) {
        #expect(metric.help.hasSuffix("."))
        #expect(metric.help.first?.isUppercase == true)
    }

    @Test(arguments: Metric.all)
    func theLabelsAllowFewSeries(_ metric: Metric) {
        #expect(metric.seriesAllowed <= Metric.seriesMaximum)
        #expect(metric.labels.allSatisfy { Set($0.values).count == $0.values.count && !$0.values.isEmpty })
    }

    @Test func noLabelNamesAProductAnApplicationOrAPayer() {
        let names = Set(Metric.all.flatMap { $0.labels.map(\.name) })
        #expect(names == ["version", "reason", "call", "outcome", "waits_for", "kind"])
    }

    @Test(arguments: Metric.all)
    func theBoundsOfBucketsRise(_ metric: Metric) {
        guard case .histogram(let bounds) = metric.kind else {
            return
        }
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
        #expect(bounds.allSatisfy { $0.isFinite })
    }

    @Test func anAnswerHasRoomForAllSamples() {
        let calls = ProviderMethod.allCases.reduce(0) { $0 + $1.outcomes.count }
        let others = Metric.all.filter { $0 != .providerCalls }.reduce(0) { sum, metric in
            sum + metric.seriesAllowed * (metric.kind.bounds == nil ? 1 : Self.samplesOfHistogram)
        }
        #expect(calls + others <= Self.samplesMaximum)
    }

    /// With `TILL_WRITE_PAGES` in the environment (`make pages`), the page is written instead.
    @Test func thePageHasEveryMetricAsTheTableDescribesIt() throws {
        let page = MetricsPage.url
        let text = try String(contentsOf: page, encoding: .utf8)
        let updated = try #require(MetricsPage.updated(text), "\(page.path) lacks a line around the metrics")
        if ProcessInfo.processInfo.environment["TILL_WRITE_PAGES"] != nil {
            try Data(updated.utf8).write(to: page)
        } else {
            #expect(text == updated, "run make pages")
        }
    }
}

extension Metric: CustomTestStringConvertible {
    package var testDescription: String { name }
}

/// The page of metrics, whose table is made from that of the code.
enum MetricsPage {
    private static let first = "<!-- The metrics follow; make pages writes them. -->"
    private static let last = "<!-- The end of the metrics. -->"

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let url = root.appending(path: "Sources/tilld/Manual/Metrics.md")

    /// The page with the present table; nil if it lacks a line around it.
    static func updated(_ text: String) -> String? {
        guard let begin = text.range(of: "\(first)\n"), let end = text.range(of: last),
            begin.upperBound <= end.lowerBound
        else {
            return nil
        }
        return text[..<begin.upperBound] + table + text[end.lowerBound...]
    }

    private static var table: String {
        let rows = Metric.all.map { metric in
            "| `\(metric.name)` | \(metric.kind.name) | \(labels(metric)) | \(metric.help)\(buckets(metric)) |\n"
        }
        return "\n| metric | type | labels | |\n|---|---|---|---|\n\(rows.joined())\n"
    }

    private static func labels(_ metric: Metric) -> String {
        metric.labels.map { label in
            // The version changes with each release.
            label.name == "version" ? "`version`" : "`\(label.name)`: \(label.values.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    private static func buckets(_ metric: Metric) -> String {
        guard let bounds = metric.kind.bounds else {
            return ""
        }
        return " Buckets: \(bounds.map(ExpositionWriter.number).joined(separator: ", "))."
    }
}
