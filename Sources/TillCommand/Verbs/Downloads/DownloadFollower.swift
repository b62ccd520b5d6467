import FoundationEssentials
import TillClient

/// Waits for downloads, and prints their changes of state.
///
/// It reads the list of downloads repeatedly instead of observing the queue, because an observer's acknowledgements would
/// remove changes from the queue before the application receives them.
struct DownloadFollower: Sendable {
    static let pause = Duration.milliseconds(500)

    let console: Console
    let json: Bool
    let socketPath: String
    /// Returns all downloads of the queue.
    let list: @Sendable () async throws -> [Download]

    /// Prints the downloads, and each again when its state changes, until all have ended or the user ends the wait.
    ///
    /// - Throws: `CommandFailure` if a download did not finish, or the user ended the wait.
    func follow(_ downloads: [Download]) async throws {
        try console.print(downloads, asJSON: json)
        let interruption = try await console.untilInterrupted { try await watch(DownloadWatch(downloads)) }
        if let interruption {
            DownloadBar(console: console).clear()
            throw CommandFailure(interruption, "The downloads continue; till downloads shows their progress.")
        }
    }

    private func watch(_ watched: DownloadWatch) async throws {
        var downloads = watched
        var connection = ConnectionNotices(daemon: "the daemon at \(socketPath)")
        let bar = DownloadBar(console: console)
        defer { bar.clear() }
        if !downloads.resting.isEmpty {
            let count = "\(downloads.resting.count) of \(downloads.downloads.count)"
            console.notice("\(count) downloads are not running; use till downloads start or resume.")
        }
        while !downloads.isOver {
            bar.draw(downloads.progress)
            try await console.sleep(Self.pause)
            let current = try await currentDownloads()
            bar.clear()
            connection.notice(isConnected: current != nil, console)
            try console.print(current.map { downloads.look(at: $0) } ?? [], asJSON: json)
        }
        try downloads.judge(console)
    }

    /// All downloads of the queue, or nil if the daemon cannot be reached.
    private func currentDownloads() async throws -> [Download]? {
        do {
            return try await list()
        } catch let error as TillError where error.code == .unavailable || error.code == .deadlineExceeded {
            return nil
        }
    }
}

extension DownloadFollower {
    init(_ queue: PaymentQueue, _ console: Console, json: Bool) {
        self.init(console: console, json: json, socketPath: queue.configuration.socketPath) {
            try await queue.downloads.collected()
        }
    }
}

/// The state of the followed downloads, updated from lists of all downloads.
struct DownloadWatch {
    /// The last known state of each download, in the given order.
    private(set) var downloads: [Download]
    /// The downloads that left the list because their transaction was finished.
    private(set) var gone: Set<UUID> = []

    init(_ downloads: [Download]) {
        self.downloads = downloads
    }

    /// Updates the state from a list of all downloads.
    ///
    /// - Returns: The downloads whose state changed, in the given order.
    mutating func look(at list: [Download]) -> [Download] {
        let found = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
        var changed: [Download] = []
        for (index, before) in downloads.enumerated() {
            guard let now = found[before.id] else {
                gone.insert(before.id)
                continue
            }
            if now.state != before.state {
                changed.append(now)
            }
            downloads[index] = now
        }
        return changed
    }

    /// Whether all downloads have ended.
    var isOver: Bool {
        downloads.allSatisfy { $0.state.isEnd || gone.contains($0.id) }
    }

    /// The downloads that do not continue without a request.
    var resting: [Download] {
        downloads.filter { ($0.state == .waiting || $0.state == .paused) && !gone.contains($0.id) }
    }

    /// The downloads that did not finish.
    var failures: [Download] {
        downloads.filter { $0.state != .finished || gone.contains($0.id) }
    }

    /// The common progress of the downloads that still exist.
    var progress: DownloadProgressSum {
        DownloadProgressSum(downloads.filter { !gone.contains($0.id) })
    }

    /// Reports the downloads that did not finish, after all have ended.
    func judge(_ console: Console) throws(CommandFailure) {
        for download in downloads where gone.contains(download.id) {
            console.notice("The download \(download.id.text) was removed: its transaction was finished.")
        }
        guard failures.isEmpty else {
            throw CommandFailure(.failed, "\(failures.count) of \(downloads.count) downloads did not finish.")
        }
    }
}

extension DownloadState {
    /// Whether a download in this state changes only if it is started again.
    fileprivate var isEnd: Bool {
        switch self {
        case .finished, .failed, .cancelled: true
        case .waiting, .active, .paused: false
        }
    }
}
