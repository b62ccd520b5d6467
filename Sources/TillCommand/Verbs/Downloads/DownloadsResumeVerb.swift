import ArgumentParser
import TillClient

struct DownloadsResumeVerb: DownloadCommanding {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Have paused downloads go on.",
        discussion: """
            Others stay as they are; what failed or was cancelled has to be started.

            Example: till downloads resume 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func validate() throws {
        try validateArguments()
    }

    func run(_ console: Console) async throws {
        try await command(console) { try await $0.resume($1) }
    }
}
