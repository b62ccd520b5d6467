import ArgumentParser
import TillClient
import TillOutput

struct ClockVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show or advance the store's clock.",
        discussion: """
            For operators. Only the simulated store's clock can be advanced.

            Example: till clock
            """,
        subcommands: [ClockAdvanceVerb.self]
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            try console.print(ClockLine(reading: try await store.clock()), asJSON: common.json)
        }
    }
}

struct ClockAdvanceVerb: Verb {
    /// The time limit for the daemon to process everything that becomes due.
    static let timeout = Duration.seconds(300)

    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Advance the simulated store's clock, and process due events.",
        discussion: """
            A time span is a number with the unit s, m, h, d or w, or several of these.

            Example: till clock advance 1d12h
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The time span, for example 30d.", transform: TimeSpan.init(parsing:))
    var span: TimeSpan

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing(console) { store in
            let reading = try await store.within(Self.timeout) { () async throws(TillError) in
                try await store.advanceClock(by: span.duration, because: reason.recorded)
            }
            try console.print(ClockLine(reading: reading), asJSON: common.json)
        }
    }
}
