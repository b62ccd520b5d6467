import ArgumentParser
import TillClient

struct DownloadsPauseVerb: DownloadCommanding {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Have active downloads rest, and keep what is here of them.",
        discussion: """
            Others stay as they are.

            Example: till downloads pause 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func validate() throws {
        try validateArguments()
    }

    func run(_ console: Console) async throws {
        try await command(console) { try await $0.pause($1) }
    }
}
