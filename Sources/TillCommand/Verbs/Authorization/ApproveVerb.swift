import ArgumentParser

struct ApproveVerb: Answering {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Answer a question with yes: to a purchase, to Ask to Buy, or to a higher price.",
        discussion: "Example: till approve 0199d2a4 --reason 'Asked at home.'"
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("The question's UUID or its beginning, as till requests has it.", valueName: "id"),
        transform: IdentityPrefix.parse
    )
    var reference: IdentityPrefix

    @OptionGroup var reason: ReasonOption

    func run(_ console: Console) async throws {
        try await answer(approves: true, console)
    }
}
