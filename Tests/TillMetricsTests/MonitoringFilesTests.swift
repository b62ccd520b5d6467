import Foundation
import Testing

@testable import TillMetrics

@Suite("The files for monitoring")
struct MonitoringFilesTests {
    /// The names that Prometheus forms from a metric's name.
    private static let names = Metric.all.reduce(into: Set<String>()) { names, metric in
        names.insert(metric.name)
        if metric.kind.bounds != nil {
            names.formUnion(["_bucket", "_sum", "_count"].map { metric.name + $0 })
        }
    }

    @Test(arguments: ["till-alerts.yml", "till-alerts-test.yml", "till-dashboard.json"])
    func everyMetricIsInTheTable(_ file: String) throws {
        let used = try Self.text(file).matches(of: /\b(till|process)_[a-z_]+/).map { String($0.output.0) }
        #expect(used.count > 10)
        #expect(Set(used).subtracting(Self.names) == [])
    }

    @Test(arguments: ["till-alerts.yml", "till-alerts-test.yml", "till-dashboard.json"])
    func everyLabelValueIsInTheTable(_ file: String) throws {
        let labels = Dictionary(grouping: Metric.all.flatMap(\.labels), by: \.name)
            .mapValues { Set($0.flatMap(\.values)) }
        var count = 0
        for match in try Self.text(file).matches(of: /\b([a-z_]+)(=~?|!=)\\?"([a-z_|]+)\\?"/) {
            guard let allowed = labels[String(match.output.1)] else {
                continue
            }
            count += 1
            #expect(
                Set(match.output.3.split(separator: "|").map(String.init)).isSubset(of: allowed),
                "\(match.output.0)"
            )
        }
        #expect(count > 0 || file == "till-dashboard.json", "no label was found")
    }

    @Test func everyAlertIsTested() throws {
        let tests = try Self.text("till-alerts-test.yml")
        let alerts = try Self.text("till-alerts.yml").matches(of: /- alert: (\w+)/).map { String($0.output.1) }
        #expect(alerts.count > 8)
        for alert in alerts {
            #expect(tests.contains(alert), "\(alert) has no test")
        }
    }

    @Test func theDashboardIsJSON() throws {
        _ = try JSONSerialization.jsonObject(with: Data(Self.text("till-dashboard.json").utf8))
    }

    private static func text(_ file: String) throws -> String {
        let folder = MetricsPage.root.appending(path: "Sources/tilld/Deployment/Monitoring")
        return try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }
}
