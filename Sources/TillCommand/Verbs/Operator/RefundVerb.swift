import ArgumentParser

struct RefundVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Give the money of a purchase back, or of a part of it, and revoke it.",
        discussion: """
            For operators. Never more than was paid is given back; the same order again is harmless.

            Example: till refund 0199d2a4 --quantity 1 --cause application-issue --reason 'Level 3 crashed.'
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var options: RefundOptions

    func run(_ console: Console) async throws {
        try await takeBack(options, keepsMoney: false, console)
    }
}
