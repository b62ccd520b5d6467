import ArgumentParser
import TillClient

struct RestoreStatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how far a restore has come.",
        discussion: "Example: till restore status 0199d2a4-8b1e-7c44-9f00-5a6b7c8d9e0f"
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The restore's UUID.", valueName: "id"), transform: IdentityArgument.parse)
    var id: IdentityArgument

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try console.print(RestoreLine(try await queue.status(ofRestore: id.uuid)), asJSON: common.json)
        }
    }
}
