import ArgumentParser
import TillClient
import TillOutput

struct DownloadsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List and control downloads of purchased content.",
        discussion: """
            The daemon downloads the content, even if this command does not run. Downloaded content stays at the \
            printed path until its transaction is finished.

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
            try await console.print(list: queue.downloads, asJSON: common.json, DownloadLine.init)
        }
    }
}

/// A verb that controls named downloads, and prints them afterwards.
protocol DownloadVerb: Verb {
    var arguments: DownloadArguments { get }

    /// Sends the request for at least one download, and returns the downloads afterwards.
    func change(_ downloads: [Download], _ queue: PaymentQueue) async throws(TillError) -> [Download]
}

extension DownloadVerb {
    func validate() throws {
        guard arguments.count == 1 else {
            throw DownloadArguments.wrongCount
        }
    }

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try console.print(try await changeNamed(queue), asJSON: common.json)
        }
    }

    fileprivate func changeNamed(_ queue: PaymentQueue) async throws -> [Download] {
        let named = try await arguments.downloads(of: queue)
        return named.isEmpty ? [] : try await change(named, queue)
    }
}

struct DownloadsStartVerb: DownloadVerb {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Start waiting, failed or cancelled downloads.",
        discussion: """
            Downloads in other states do not change. With --wait, the command waits as till downloads wait does, and \
            exits with 1 if a download does not finish.

            Example: till downloads start --transaction 0199d2a4 --wait
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    @Flag(name: .customLong("wait"), help: "Wait until the downloads finish, fail or are cancelled.")
    var waits = false

    func change(_ downloads: [Download], _ queue: PaymentQueue) async throws(TillError) -> [Download] {
        try await queue.start(downloads)
    }

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let started = try await changeNamed(queue)
            guard waits else {
                return try console.print(started, asJSON: common.json)
            }
            try await DownloadFollower(queue, console, json: common.json).follow(started)
        }
    }
}

struct DownloadsPauseVerb: DownloadVerb {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause active downloads, keeping partial data.",
        discussion: """
            Downloads in other states do not change.

            Example: till downloads pause 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func change(_ downloads: [Download], _ queue: PaymentQueue) async throws(TillError) -> [Download] {
        try await queue.pause(downloads)
    }
}

struct DownloadsResumeVerb: DownloadVerb {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume paused downloads.",
        discussion: """
            Downloads in other states do not change. Use till downloads start for failed or cancelled downloads.

            Example: till downloads resume 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func change(_ downloads: [Download], _ queue: PaymentQueue) async throws(TillError) -> [Download] {
        try await queue.resume(downloads)
    }
}

struct DownloadsCancelVerb: DownloadVerb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel unfinished downloads and delete their partial data.",
        discussion: """
            Cancelled downloads can be started again until their transaction is finished.

            Example: till downloads cancel 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func change(_ downloads: [Download], _ queue: PaymentQueue) async throws(TillError) -> [Download] {
        try await queue.cancel(downloads)
    }
}

struct DownloadsWaitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until downloads finish, fail or are cancelled.",
        discussion: """
            Without arguments, the command waits for all current downloads. It prints each download now and when its \
            state changes; on a terminal it also shows their progress. It reads the list of downloads twice a second, \
            and acknowledges nothing on behalf of the application. If the daemon stops, the command waits for it. \
            Ctrl-C ends the wait, not the downloads. The exit status is 1 if a download does not finish.

            Example: till downloads wait 0199d2a4
            """
    )

    @OptionGroup var common: CommonOptions

    @OptionGroup var arguments: DownloadArguments

    func validate() throws {
        guard arguments.count <= 1 else {
            throw DownloadArguments.wrongCount
        }
    }

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let named = try await arguments.downloads(of: queue)
            try await DownloadFollower(queue, console, json: common.json).follow(named)
        }
    }
}
