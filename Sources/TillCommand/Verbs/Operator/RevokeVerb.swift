import ArgumentParser

struct RevokeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a purchase back, or a part of it, without giving money back.",
        discussion: """
            For operators. The application and restores are told as of a refund.

            Example: till revoke 0199d2a4 --reason 'Bought with a stolen card.'
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var options: RefundOptions

    func run(_ console: Console) async throws {
        try await takeBack(options, keepsMoney: true, console)
    }
}
