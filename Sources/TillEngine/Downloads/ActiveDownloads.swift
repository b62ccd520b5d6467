import FoundationEssentials
import NIOConcurrencyHelpers
import TillModel

/// The running downloads: their progress, and how to stop them. It is kept in memory only, and nothing is decided by
/// it.
final class ActiveDownloads: Sendable {
    /// Downloads in one report, which must fit into a frame; the others follow with the next.
    static let reportMaximum = 128

    private struct Entry {
        var queue: Int64
        var transactionID: UUID?
        /// The last report; nil before the first.
        var download: Download?
        /// The number of the last report; rises over all downloads.
        var number: UInt64 = 0
        var stop: AsyncStream<Void>.Continuation
    }

    private struct State {
        var entries: [Int64: Entry] = [:]
        var lastNumber: UInt64 = 0
        var isOpen = true
    }

    private let changes: ChangeSignal
    private let state = NIOLockedValueBox(State())

    /// Whether downloads may still begin.
    var isOpen: Bool {
        state.withLockedValue { $0.isOpen }
    }

    /// How many downloads run.
    var count: Int {
        state.withLockedValue(\.entries.count)
    }

    init(changes: ChangeSignal) {
        self.changes = changes
    }

    /// Enters a download that is about to run.
    ///
    /// - Returns: A stream that ends when the download is to stop; nil after ``stopAll()``.
    func begin(_ job: DownloadJob) -> AsyncStream<Void>? {
        let stop = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return state.withLockedValue { state in
            guard state.isOpen else {
                return nil
            }
            state.entries[job.key] = Entry(queue: job.queue, transactionID: job.transactionID, stop: stop.continuation)
            return stop.stream
        }
    }

    /// Stops the download if it runs, and ignores its further progress.
    func end(_ key: Int64) {
        state.withLockedValue { $0.entries.removeValue(forKey: key) }?.stop.finish()
    }

    /// Stops the transactions' downloads that run, and ignores their further progress.
    func end(ofTransactions ids: Set<UUID>) {
        let keys = state.withLockedValue { state in
            state.entries.filter { $0.value.transactionID.map(ids.contains) ?? false }.map(\.key)
        }
        keys.forEach(end)
    }

    /// Stops all downloads permanently.
    func stopAll() {
        let entries = state.withLockedValue { state in
            state.isOpen = false
            defer { state.entries = [:] }
            return state.entries.values.map(\.stop)
        }
        entries.forEach { $0.finish() }
    }

    /// Reports a download's progress to observers, unless it is to stop.
    func report(_ progress: DownloadProgress, of record: DownloadRecord) {
        let isTaken = state.withLockedValue { state in
            guard state.entries[record.key] != nil else {
                return false
            }
            state.lastNumber += 1
            var download = record.download
            download.receivedBytes = min(max(progress.receivedBytes, 0), record.content.length)
            download.timeRemaining = progress.timeRemaining
            state.entries[record.key]?.download = download
            state.entries[record.key]?.number = state.lastNumber
            return true
        }
        if isTaken {
            changes.wake(record.queue)
        }
    }

    /// The queue's first ``reportMaximum`` downloads that were reported after `number`, in that order, and the number of
    /// the last of them.
    func reported(in queue: Int64, after number: UInt64) -> (downloads: [Download], number: UInt64) {
        let newer = state.withLockedValue { state in
            state.entries.values.filter { $0.queue == queue && $0.number > number }
        }
        .sorted { $0.number < $1.number }
        .prefix(Self.reportMaximum)
        return (newer.compactMap(\.download), newer.last?.number ?? number)
    }

    /// The download as it is now.
    func current(_ record: DownloadRecord) -> Download {
        guard record.state == .active, let running = state.withLockedValue({ $0.entries[record.key]?.download }) else {
            return record.download
        }
        return running
    }
}
