import FoundationEssentials
import TillMetrics
import TillModel
import TillOutput

/// The figures that operators look at first.
struct StoreFigures: Output {
    let reading: MetricReading

    var lines: [String] {
        [
            "unfinished: \(unfinished)",
            "oldest unfinished: \(oldestUnfinished)",
            "needs review: \(Self.parts(reading.values(of: .needsReview)) ?? "nothing")",
            "commands waiting: \(Self.whole(reading.value(.waitingCommands)))",
            "memory: \(Self.bytes(reading.value(.residentMemory)))",
        ]
    }

    private var oldestUnfinished: String {
        guard reading.value(.unfinished) != 0 else {
            return "nothing"
        }
        return reading.maximum(.oldestUnfinished).map(Self.span) ?? "unknown"
    }

    /// The total, and what the transactions wait for.
    var unfinished: String {
        let total = Self.whole(reading.value(.unfinished))
        return Self.parts(reading.values(of: .unfinished)).map { "\(total) (\($0))" } ?? total
    }

    var json: JSONObject {
        JSONObject(members)
    }

    var members: [(String, (any JSONConvertible)?)] {
        [
            ("unfinished", Self.count(reading.value(.unfinished))),
            ("unfinished_by_wait", Self.object(reading.values(of: .unfinished))),
            ("oldest_unfinished_seconds", reading.maximum(.oldestUnfinished)),
            ("needs_review", Self.count(reading.value(.needsReview))),
            ("due", Self.count(reading.value(.dueWork))),
            ("commands_waiting", Self.count(reading.value(.waitingCommands))),
            ("connections", Self.count(reading.value(.connections))),
            ("streams", Self.count(reading.value(.streams))),
            ("agents", Self.count(reading.value(.attachedAgents))),
            ("downloads", Self.count(reading.value(.activeDownloads))),
            ("resident_memory_bytes", Self.count(reading.value(.residentMemory))),
            ("open_files", Self.count(reading.value(.openFiles))),
            ("ledger_bytes", Self.count(reading.value(.ledgerSize))),
            ("ledger_log_bytes", Self.count(reading.value(.ledgerLogSize))),
            ("disk_free_bytes", Self.count(reading.value(.diskFree))),
        ]
    }

    private static func count(_ value: Double?) -> Int64? {
        value.flatMap { Int64(exactly: $0.rounded()) }
    }

    private static func object(_ values: [(label: String, value: Double)]) -> JSONObject {
        JSONObject(values.map { ($0.label, count($0.value)) })
    }

    static func whole(_ value: Double?) -> String {
        count(value).map(String.init) ?? "unknown"
    }

    /// Nil if there are none.
    static func parts(_ values: [(label: String, value: Double)]) -> String? {
        guard !values.isEmpty else {
            return nil
        }
        return values.map { "\($0.label.replacing("_", with: " ")) \(whole($0.value))" }.joined(separator: ", ")
    }

    static func bytes(_ value: Double?) -> String {
        count(value).map { ByteCount(bytes: $0).description } ?? "unknown"
    }

    static func span(_ seconds: Double) -> String {
        seconds < 1 ? "0s" : "\(TimeSpan(.seconds(Int64(exactly: seconds.rounded(.down)) ?? .max)))"
    }
}

/// The view of `till top`.
struct TopOutput: Output {
    let rates: MetricRates

    private var figures: StoreFigures {
        StoreFigures(reading: rates.after)
    }

    private var reading: MetricReading {
        rates.after
    }

    var lines: [String] {
        [
            "serving      \(reading.value(.serving) == 1 ? "yes" : "NO")",
            "commits      \(perSecond(commits))   commands \(perSecond(commands))   refused \(perSecond(refused))",
            "waiting      \(StoreFigures.whole(reading.value(.waitingCommands))) commands",
            "provider     \(perSecond(calls)) calls   mean \(mean(of: .providerCallDuration))",
            "commit time  mean \(mean(of: .commitDuration))",
            "unfinished   \(figures.unfinished)",
            "oldest       \(oldest)",
            "needs review \(StoreFigures.parts(reading.values(of: .needsReview)) ?? "nothing")",
            "due          \(StoreFigures.parts(reading.values(of: .dueWork)) ?? "nothing")",
            "connections  \(connections)",
            "agents       \(StoreFigures.whole(reading.value(.attachedAgents))), downloads \(downloads)",
            "memory       \(StoreFigures.bytes(reading.value(.residentMemory))), processor \(processor)",
            "ledger       \(ledger)",
        ]
    }

    var json: JSONObject {
        JSONObject(
            figures.members + [
                ("is_serving", reading.value(.serving) == 1),
                ("commits_per_second", commits),
                ("commands_per_second", commands),
                ("commands_refused_per_second", refused),
                ("commit_mean_seconds", rates.mean(of: .commitDuration)),
                ("provider_calls_per_second", calls),
                ("provider_call_mean_seconds", rates.mean(of: .providerCallDuration)),
                ("requests_per_second", requests),
                ("processor_share", processorShare),
            ]
        )
    }

    private var commits: Double? {
        rates.rate { $0.count(of: .commitCommands) }
    }

    private var commands: Double? {
        rates.rate { $0.total(of: .commitCommands) }
    }

    private var refused: Double? {
        rates.rate { $0.value(.refusedCommands) }
    }

    private var calls: Double? {
        rates.rate { $0.value(.providerCalls) }
    }

    private var requests: Double? {
        rates.rate { $0.value(.requests) }
    }

    private var processorShare: Double? {
        rates.rate { $0.value(.processorTime) }
    }

    private var oldest: String {
        let waits = reading.values(of: .oldestUnfinished)
        let texts = waits.map { "\($0.label.replacing("_", with: " ")) \(StoreFigures.span($0.value))" }
        return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
    }

    private var connections: String {
        let streams = StoreFigures.whole(reading.value(.streams))
        return "\(StoreFigures.whole(reading.value(.connections))), calls \(streams), requests \(perSecond(requests))"
    }

    private var downloads: String {
        StoreFigures.whole(reading.value(.activeDownloads))
    }

    private var processor: String {
        processorShare.map { "\(Self.decimal($0 * 100)) %" } ?? "unknown"
    }

    private var ledger: String {
        let size = StoreFigures.bytes(reading.value(.ledgerSize))
        let log = StoreFigures.bytes(reading.value(.ledgerLogSize))
        return "\(size), log \(log), disk free \(StoreFigures.bytes(reading.value(.diskFree)))"
    }

    private func perSecond(_ rate: Double?) -> String {
        rate.map { "\(Self.decimal($0))/s" } ?? "unknown"
    }

    private func mean(of metric: Metric) -> String {
        rates.mean(of: metric).map { "\(Self.decimal($0 * 1000)) ms" } ?? "-"
    }

    /// A number with one digit after the point.
    static func decimal(_ value: Double) -> String {
        value.withOneDecimal ?? "unknown"
    }
}
