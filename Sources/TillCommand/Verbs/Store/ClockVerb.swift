import ArgumentParser
import TillClient

struct ClockVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show the store's clock, or advance it.",
        discussion: """
            For operators. Only the simulated store's clock can be advanced.

            Example: till clock
            """,
        subcommands: [ClockAdvanceVerb.self]
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator { store in
            try console.print(ClockLine(reading: try await store.clock()), asJSON: common.json)
        }
    }
}
