import ArgumentParser
import TillClient
import TillMetrics
import TillModel

struct TopVerb: Verb {
    /// How often the view is refreshed.
    static let interval = Duration.seconds(1)

    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show the daemon's rates and queues, refreshed each second.",
        discussion: """
            For operators. q or Ctrl-C ends it. If the standard output is not a terminal, and with --json, the figures are \
            printed once. The rates are those of one second.

            Example: till top
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Print the figures once.")
    var once = false

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let first = try await TimedReading(of: store)
            guard !once, !common.json, let screen = console.screen else {
                try await console.sleep(Self.interval)
                let second = try await TimedReading(of: store)
                return try console.print(TopOutput(rates: second.rates(since: first)), asJSON: common.json)
            }
            screen.begin()
            defer { screen.end() }
            _ = try await console.untilInterrupted { try await show(store, first, on: screen, console) }
        }
    }

    /// Refreshes the view until the user presses q.
    private func show(_ store: TillOperator, _ first: TimedReading, on screen: Screen, _ console: Console) async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let key = await screen.nextKey(), key != UInt8(ascii: "q") {}
            }
            group.addTask { try await refresh(store, first, on: screen, console) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func refresh(_ store: TillOperator, _ first: TimedReading, on screen: Screen, _ console: Console)
        async throws
    {
        var last = first
        screen.draw(["Reading; q ends."])
        while !Task.isCancelled {
            try await console.sleep(Self.interval)
            do throws(TillError) {
                let reading = try await TimedReading(of: store)
                screen.draw(TopOutput(rates: reading.rates(since: last)).lines + ["", "q ends."])
                last = reading
            } catch {
                guard error.code == .unavailable || error.code == .deadlineExceeded else {
                    throw error
                }
                screen.draw(["The daemon cannot be reached; trying again.", "", "q ends."])
            }
        }
    }
}

/// A reading, and when it was made.
private struct TimedReading: Sendable {
    let reading: MetricReading
    let instant: ContinuousClock.Instant

    init(of store: TillOperator) async throws(TillError) {
        reading = MetricReading(samples: try await store.metrics())
        instant = .now
    }

    func rates(since earlier: TimedReading) -> MetricRates {
        MetricRates(before: earlier.reading, after: reading, seconds: (instant - earlier.instant) / .seconds(1))
    }
}
