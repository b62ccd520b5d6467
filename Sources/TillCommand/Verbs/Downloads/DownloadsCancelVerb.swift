import ArgumentParser
import TillClient

struct DownloadsCancelVerb: DownloadCommanding {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Give up downloads that are not finished, and remove what is here of them.",
        discussion: """
            They can be started again until their transaction is finished.

            Example: till downloads cancel 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func validate() throws {
        try validateArguments()
    }

    func run(_ console: Console) async throws {
        try await command(console) { try await $0.cancel($1) }
    }
}
