import ArgumentParser
import TillClient

struct DownloadsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List the content of unfinished transactions, and download it.",
        discussion: """
            The daemon downloads, whether or not this command runs. What is downloaded lies at the path printed, until \
            its transaction is finished.

            Example: till downloads start --all --wait
            """,
        subcommands: [
            DownloadsStartVerb.self, DownloadsPauseVerb.self, DownloadsResumeVerb.self, DownloadsCancelVerb.self,
            DownloadsWaitVerb.self,
        ]
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            for try await download in queue.downloads {
                try console.print(DownloadLine(download: download), asJSON: common.json)
            }
        }
    }
}
