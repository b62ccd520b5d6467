import ArgumentParser
import TillClient

struct DownloadsWaitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until downloads are finished, failed or cancelled.",
        discussion: """
            Without identifiers, all downloads that there are now. Prints each, and again whenever its state changes; \
            on a terminal, how far they are together. They are looked at twice a second: nothing of the queue is \
            acknowledged in the application's stead. A daemon that goes away is waited for. Ctrl-C ends the wait and not \
            the downloads. The exit status is 1 when one does not finish.

            Example: till downloads wait 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func validate() throws {
        guard arguments.count <= 1 else {
            throw ValidationError("Name downloads, or give either --transaction or --all instead.")
        }
    }

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let named = try await arguments.downloads(of: queue)
            try await DownloadFollower(queue, console, json: common.json).follow(named)
        }
    }
}
