import FoundationEssentials
import TillClient

/// Waits for downloads and says what becomes of them.
///
/// They are listed again and again and not observed: an observer's acknowledgements would take away from the application
/// what the queue delivers until somebody has acknowledged it.
struct DownloadFollower: Sendable {
    static let pause = Duration.milliseconds(500)

    let console: Console
    let json: Bool
    let socketPath: String
    /// All downloads of the queue.
    let list: @Sendable () async throws -> [Download]

    /// Prints the downloads, and each again whenever its state changes, until none has to go on or the user ends it.
    ///
    /// - Throws: `CommandFailure` when one did not finish, or was not waited for until then.
    func follow(_ downloads: [Download]) async throws {
        try console.print(downloads, asJSON: json)
        let interruption = try await console.untilInterrupted { try await watch(DownloadWatch(downloads)) }
        if let interruption {
            DownloadBar(console: console).clear()
            let message = "This ended the wait and not the downloads; till downloads shows how far they are."
            throw CommandFailure(interruption, message)
        }
    }

    private func watch(_ watched: DownloadWatch) async throws {
        var downloads = watched
        var poll = DownloadPoll()
        let bar = DownloadBar(console: console)
        defer { bar.clear() }
        if !downloads.resting.isEmpty {
            console.notice("Not started, or paused: \(downloads.resting.count) of \(watched.downloads.count).")
        }
        while !downloads.isOver {
            bar.draw(downloads.progress)
            try await console.sleep(Self.pause)
            let now = try await poll.list(list)
            bar.clear()
            poll.news(socketPath: socketPath).map(console.notice)
            try console.print(now.map { downloads.look(at: $0) } ?? [], asJSON: json)
        }
        try downloads.judge(console)
    }
}

extension DownloadFollower {
    init(_ queue: PaymentQueue, _ console: Console, json: Bool) {
        self.init(console: console, json: json, socketPath: queue.configuration.socketPath) {
            try await queue.downloads.collected()
        }
    }
}

extension DownloadWatch {
    /// Says which did not finish, once all is over.
    func judge(_ console: Console) throws(CommandFailure) {
        for download in downloads where gone.contains(download.id) {
            console.notice("The download \(download.id.text) is gone: its transaction was finished.")
        }
        guard failures.isEmpty else {
            throw CommandFailure(.failed, "\(failures.count) of \(downloads.count) downloads did not finish.")
        }
    }
}

extension Console {
    /// Prints downloads, each as an object or in a line.
    func print(_ downloads: [Download], asJSON: Bool) throws {
        try downloads.forEach { try print(DownloadLine(download: $0), asJSON: asJSON) }
    }
}
