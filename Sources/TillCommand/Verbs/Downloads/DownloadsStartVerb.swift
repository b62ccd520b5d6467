import ArgumentParser
import TillClient

struct DownloadsStartVerb: DownloadCommanding {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Have the daemon download what is waiting, failed or cancelled.",
        discussion: """
            Others stay as they are. With --wait, as till downloads wait does: the exit status is 1 when one does not \
            finish.

            Example: till downloads start --transaction 0199d2a4 --wait
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    @Flag(name: .customLong("wait"), help: "Wait until they are finished, failed or cancelled.")
    var waits = false

    func validate() throws {
        try validateArguments()
    }

    func run(_ console: Console) async throws {
        guard waits else {
            return try await command(console) { try await $0.start($1) }
        }
        try await withQueue(console) { queue in
            let named = try await arguments.downloads(of: queue)
            let started = named.isEmpty ? [] : try await queue.start(named)
            try await DownloadFollower(queue, console, json: common.json).follow(started)
        }
    }
}
