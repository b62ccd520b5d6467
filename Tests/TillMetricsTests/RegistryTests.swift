import CoreMetrics
import Testing
import TillModel

@testable import TillMetrics

@Suite("The registry of metrics")
struct RegistryTests {
    private let registry = MetricsRegistry()

    private func value(_ metric: Metric, _ suffix: String = "") -> Double? {
        registry.families.samples.first { $0.name == metric.name + suffix }?.value
    }

    private var dropped: Double? {
        value(.droppedRecords)
    }

    @Test func aCounterRisesAndIgnoresWhatWouldLetItFall() {
        let labels = Metric.refusedCommands.labels(CommandRefusal.lateFlush.rawValue)
        let counter = Counter(label: Metric.refusedCommands.name, dimensions: labels, factory: registry)
        counter.increment(by: 3)
        counter.increment()
        let fraction = registry.makeFloatingPointCounter(label: Metric.refusedCommands.name, dimensions: labels)
        fraction.increment(by: -1.0)
        fraction.increment(by: .nan)
        fraction.increment(by: 0.5)
        #expect(value(.refusedCommands) == 4.5, "both handlers are those of one series")
    }

    @Test func aGaugeIsSetAndMoves() {
        let meter = Meter(label: Metric.waitingCommands.name, dimensions: [], factory: registry)
        meter.set(5)
        meter.increment(by: 2)
        meter.decrement(by: 4)
        #expect(value(.waitingCommands) == 3)
        let gauge = Gauge(label: Metric.waitingCommands.name, dimensions: [], factory: registry)
        gauge.record(9)
        #expect(value(.waitingCommands) == 9)
    }

    @Test func aHistogramIgnoresWhatIsNotFinite() {
        let timer = registry.makeRecorder(label: Metric.commitDuration.name, dimensions: [], aggregate: true)
        [Double.nan, .infinity, -.infinity, 0.25].forEach(timer.record)
        #expect(value(.commitDuration, "_count") == 1)
        #expect(value(.commitDuration, "_sum") == 0.25)
    }

    @Test(
        arguments: [
            ("unknown_metric", []),
            ("till_commands_refused_total", []),
            ("till_commands_refused_total", [("reason", "the weather")]),
            ("till_commands_refused_total", [("user", "late_flush")]),
            ("till_commands_refused_total", [("reason", "late_flush"), ("application", "org.example")]),
            // A gauge, and a histogram.
            ("till_commands_waiting", []), ("till_commit_commands", []),
        ] as [(String, [(String, String)])]
    )
    func aCounterThatTheTableLacksIsCountedAndKeepsNothing(_ name: String, _ labels: [(String, String)]) {
        let before = registry.families.samples.count
        let counter = Counter(label: name, dimensions: labels, factory: registry)
        counter.increment(by: 7)
        counter.increment()
        #expect(dropped == 2)
        #expect(registry.families.samples.count == before)
    }

    @Test func everyKindOfHandlerThatTheTableLacksIsCounted() {
        Meter(label: "m", dimensions: [], factory: registry).set(1)
        Recorder(label: "r", dimensions: [], aggregate: true, factory: registry).record(1)
        Gauge(label: "g", dimensions: [], factory: registry).record(1)
        Timer(label: "t", dimensions: [], factory: registry).recordNanoseconds(1)
        FloatingPointCounter(label: "f", dimensions: [], factory: registry).increment(by: 0.5)
        #expect(dropped == 5)
    }

    @Test func unknownLabelValuesNeverAddSeries() {
        for number in 0..<10_000 {
            let labels = Metric.providerCalls.labels("call \(number)", "succeeded")
            Counter(label: Metric.providerCalls.name, dimensions: labels, factory: registry).increment()
        }
        #expect(dropped == 10_000)
        #expect(registry.families.samples.map(\.name) == [Metric.droppedRecords.name])
    }

    @Test func concurrentTasksLoseNoRecord() async {
        let tasks = 8
        let records = 5_000
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask { [registry] in
                    let labels = Metric.providerCallDuration.labels(ProviderMethod.charge.rawValue)
                    let timer = Timer(label: Metric.providerCallDuration.name, dimensions: labels, factory: registry)
                    let counter = Counter(
                        label: Metric.refusedCommands.name,
                        dimensions: Metric.refusedCommands.labels("stopped"),
                        factory: registry
                    )
                    for record in 0..<records {
                        timer.recordNanoseconds(Int64(task + 1) * 1_000_000_000)
                        counter.increment()
                        if record.isMultiple(of: 1_000) {
                            _ = registry.families.text
                        }
                    }
                }
            }
        }
        #expect(value(.providerCallDuration, "_count") == Double(tasks * records))
        #expect(value(.providerCallDuration, "_sum") == Double((1...tasks).reduce(0, +) * records))
        #expect(value(.refusedCommands) == Double(tasks * records))
    }
}
