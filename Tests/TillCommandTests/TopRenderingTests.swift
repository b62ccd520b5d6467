import Testing
import TillMetrics
import TillModel
import TillOutput

@testable import TillCommand

@Suite struct TopRenderingTests {
    private static func reading(_ values: (String, [MetricLabel], Double)...) -> MetricReading {
        MetricReading(samples: values.map { MetricSample(name: $0.0, labels: $0.1, value: $0.2) })
    }

    private static func waits(_ wait: UnfinishedWait) -> [MetricLabel] {
        [MetricLabel(name: "waits_for", value: wait.rawValue)]
    }

    private static let before = reading(
        ("till_commit_commands_count", [], 100),
        ("till_commit_commands_sum", [], 400),
        ("till_commit_duration_seconds_count", [], 100),
        ("till_commit_duration_seconds_sum", [], 1),
        ("till_provider_calls_total", [MetricLabel(name: "call", value: "charge")], 10),
        ("till_provider_calls_total", [MetricLabel(name: "call", value: "query")], 10),
        ("till_rpc_requests_total", [], 1000),
        ("process_cpu_seconds_total", [], 5)
    )
    private static let after = reading(
        ("till_serving", [], 1),
        ("till_commit_commands_count", [], 120),
        ("till_commit_commands_sum", [], 500),
        ("till_commit_duration_seconds_count", [], 120),
        ("till_commit_duration_seconds_sum", [], 1.1),
        ("till_provider_calls_total", [MetricLabel(name: "call", value: "charge")], 12),
        ("till_provider_calls_total", [MetricLabel(name: "call", value: "query")], 14),
        // A daemon that started in between.
        ("till_rpc_requests_total", [], 50),
        ("process_cpu_seconds_total", [], 5.5),
        ("till_transactions_unfinished", waits(.otherPayment), 2),
        ("till_transactions_unfinished", waits(.application), 40),
        ("till_transactions_unfinished", waits(.user), 0),
        ("till_oldest_unfinished_age_seconds", waits(.application), 90_061.7),
        ("till_oldest_unfinished_age_seconds", waits(.otherPayment), 0.2),
        ("till_needs_review", [MetricLabel(name: "kind", value: "refund")], 3),
        ("till_commands_waiting", [], 7),
        ("process_resident_memory_bytes", [], 25_300_000)
    )

    private static let rates = MetricRates(before: before, after: after, seconds: 2)

    @Test func ratesAreDifferencesForEachSecond() {
        let rates = Self.rates
        #expect(rates.rate { $0.count(of: .commitCommands) } == 10)
        #expect(rates.rate { $0.total(of: .commitCommands) } == 50)
        #expect(rates.rate { $0.value(.providerCalls) } == 3)
        #expect(rates.rate { $0.value(.requests) } == 25, "a counter that fell began at 0")
        #expect(rates.rate { $0.value(.refusedCommands) } == nil, "no reading has it")
        #expect(MetricRates(before: Self.before, after: Self.after, seconds: 0).rate { $0.value(.requests) } == nil)
    }

    @Test func aMeanIsThatOfTheValuesInBetween() throws {
        let mean = try #require(Self.rates.mean(of: .commitDuration))
        #expect(abs(mean - 0.005) < 1e-9)
        #expect(Self.rates.mean(of: .providerCallDuration) == nil)
        #expect(MetricRates(before: Self.after, after: Self.after, seconds: 1).mean(of: .commitDuration) == nil)
    }

    @Test func theViewHasTheFiguresInLines() {
        #expect(
            TopOutput(rates: Self.rates).lines == [
                "serving      yes", "commits      10.0/s   commands 50.0/s   refused unknown",
                "waiting      7 commands",
                "provider     3.0/s calls   mean -", "commit time  mean 5.0 ms",
                "unfinished   42 (application 40, other payment 2)",
                "oldest       application 1d1h1m1s, other payment 0s",
                "needs review refund 3", "due          nothing",
                "connections  unknown, calls unknown, requests 25.0/s", "agents       unknown, downloads unknown",
                "memory       25.3 MB, processor 25.0 %", "ledger       unknown, log unknown, disk free unknown",
            ]
        )
    }

    @Test func theStatusHasFiveOfThem() {
        #expect(
            StoreFigures(reading: Self.after).lines == [
                "unfinished: 42 (application 40, other payment 2)", "oldest unfinished: 1d1h1m1s",
                "needs review: refund 3", "commands waiting: 7", "memory: 25.3 MB",
            ]
        )
    }

    @Test func theJSONHasNumbers() throws {
        let text = try TopOutput(rates: Self.rates).json.text()
        for member in [
            #""unfinished":42"#, #""unfinished_by_wait":{"application":40,"other_payment":2}"#, #""needs_review":3"#,
            #""commits_per_second":10"#, #""commands_per_second":50"#, #""processor_share":0.25"#,
            #""is_serving":true"#,
        ] {
            #expect(text.contains(member), "\(text)")
        }
        #expect(!text.contains("provider_call_mean_seconds"))
    }

    @Test(
        arguments: [(0, "0.0"), (0.04, "0.0"), (0.05, "0.1"), (12.34, "12.3"), (-1, "unknown"), (.nan, "unknown")]
            as [(Double, String)]
    )
    func decimalsHaveOneDigit(_ value: Double, _ text: String) {
        #expect(TopOutput.decimal(value) == text)
    }
}
