import ArgumentParser

struct DeclineVerb: Answering {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Answer a question with no: to a purchase, to Ask to Buy, or to a higher price.",
        discussion: "Example: till decline 0199d2a4 --reason 'Asked at home.'"
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The question's UUID or its beginning, as till requests has it.", valueName: "id"),
        transform: IdentityPrefix.parse
    )
    var reference: IdentityPrefix

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await answer(approves: false, console)
    }
}
