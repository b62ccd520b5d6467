import CoreMetrics
import Testing
import TillModel

@testable import TillMetrics

@Suite("Prometheus's text format")
struct ExpositionTests {
    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (-3, "-3"), (0.1, "0.1"), (0.00025, "0.00025"), (1e-7, "1e-07"),
            (1.5e300, "1.5e+300"), (9_007_199_254_740_992, "9007199254740992"), (.infinity, "+Inf"),
            (-.infinity, "-Inf"),
            (.nan, "NaN"),
        ] as [(Double, String)]
    )
    func aNumberIsWrittenAsGoReadsIt(_ value: Double, _ text: String) {
        #expect(ExpositionWriter.number(value) == text)
    }

    @Test(arguments: [
        ("", "", ""), ("plain", "plain", "plain"), (#"a\b"#, #"a\\b"#, #"a\\b"#), ("a\nb", #"a\nb"#, #"a\nb"#),
        (#"say "x""#, #"say "x""#, #"say \"x\""#), ("\r\n", "\r\\n", "\r\\n"), ("äß", "äß", "äß"),
        (#"\n"#, #"\\n"#, #"\\n"#),
    ])
    func helpAndLabelsAreEscaped(_ text: String, _ help: String, _ label: String) {
        #expect(ExpositionWriter.escaped(text) == help)
        #expect(ExpositionWriter.escapedLabel(text) == label)
    }

    @Test func seriesStandUnderTheirMetricInTheOrderOfTheTable() {
        var families = MetricFamilies()
        families.add(.residentMemory, value: 4096)
        families.add(.needsReview, "refund", value: 2)
        families.add(.needsReview, "charge", value: 1)
        families.add(.serving, value: 1)
        let expected = """
            # HELP till_serving \(Metric.serving.help)
            # TYPE till_serving gauge
            till_serving 1
            # HELP till_needs_review \(Metric.needsReview.help)
            # TYPE till_needs_review gauge
            till_needs_review{kind="charge"} 1
            till_needs_review{kind="refund"} 2
            # HELP process_resident_memory_bytes \(Metric.residentMemory.help)
            # TYPE process_resident_memory_bytes gauge
            process_resident_memory_bytes 4096

            """
        #expect(families.text == expected)
    }

    @Test func bucketsAreCumulativeAndEndWithInfinity() {
        let registry = MetricsRegistry()
        let recorder = Recorder(label: Metric.commitCommands.name, dimensions: [], aggregate: true, factory: registry)
        [1, 2, 3, 1000, 5000].forEach { recorder.record(Int64($0)) }
        let lines = registry.families.text.split(separator: "\n").filter { $0.hasPrefix("till_commit_commands") }
        let counts = [1, 2, 3, 3, 3, 3, 3, 3, 3, 4]
        let buckets = zip(Metric.commandCounts, counts).map { bound, count in
            "till_commit_commands_bucket{le=\"\(Int(bound))\"} \(count)"
        }
        #expect(
            lines.map(String.init) == buckets + [
                "till_commit_commands_bucket{le=\"+Inf\"} 5", "till_commit_commands_sum 6006",
                "till_commit_commands_count 5",
            ]
        )
    }

    @Test func samplesHaveSumAndCountInPlaceOfBuckets() {
        let registry = MetricsRegistry()
        let timer = Timer(
            label: Metric.providerCallDuration.name,
            dimensions: Metric.providerCallDuration.labels("charge"),
            factory: registry
        )
        timer.recordNanoseconds(1_500_000_000)
        let labels = [MetricLabel(name: "call", value: "charge")]
        #expect(
            registry.families.samples.filter { $0.name.hasPrefix("till_provider") } == [
                MetricSample(name: "till_provider_call_duration_seconds_sum", labels: labels, value: 1.5),
                MetricSample(name: "till_provider_call_duration_seconds_count", labels: labels, value: 1),
            ]
        )
    }

    @Test func aValueThatIsNotFiniteIsInTheTextAndNotInTheSamples() {
        var families = MetricFamilies()
        families.add(.diskFree, value: Double.nan)
        families.add(.diskSize, value: 5)
        #expect(families.text.contains("till_disk_free_bytes NaN\n"))
        #expect(families.samples.map(\.name) == ["till_disk_size_bytes"])
    }
}
