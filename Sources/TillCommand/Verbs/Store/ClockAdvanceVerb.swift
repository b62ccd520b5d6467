import ArgumentParser
import TillClient

struct ClockAdvanceVerb: Verb {
    /// How long all that falls due may take.
    static let timeout = Duration.seconds(300)

    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Set the simulated store's clock ahead; what falls due until then happens.",
        discussion: """
            A span is a number and s, m, h, d or w, or several of them together.

            Example: till clock advance 1d12h
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "How far, for example 30d.", transform: TimeSpan.init(parsing:))
    var span: TimeSpan

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await changing(timeout: Self.timeout) { store in
            let reading = try await store.advanceClock(by: span.duration, because: reason.recorded)
            try console.print(ClockLine(reading: reading), asJSON: common.json)
        }
    }
}
