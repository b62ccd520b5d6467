import ArgumentParser
import TillClient

struct RestoreCancelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Stop a restore; what was restored stays in the queue.",
        discussion: """
            The restore then fails at its observers. One that had ended before stays as it is.

            Example: till restore cancel 0199d2a4-8b1e-7c44-9f00-5a6b7c8d9e0f
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The restore's UUID.", valueName: "id"), transform: IdentityArgument.parse)
    var id: IdentityArgument

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try console.print(RestoreLine(try await queue.cancelRestore(id.uuid)), asJSON: common.json)
        }
    }
}
