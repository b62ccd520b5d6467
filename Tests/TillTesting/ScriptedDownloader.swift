package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine

/// A downloader that a test controls, and that records its calls.
package final class ScriptedDownloader: ContentDownloader {
    /// A running download, until the test ends it or the engine stops it.
    private struct Run {
        var progress: @Sendable (DownloadProgress) -> Void
        var end: CheckedContinuation<DownloadOutcome, Never>
    }

    private struct State {
        var runs: [UUID: Run] = [:]
        var removed: [UUID] = []
        var kept: Set<UUID>?
        var lost: Set<UUID> = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// The downloads whose files were removed, in order.
    package var removed: [UUID] {
        state.withLockedValue { $0.removed }
    }

    /// The downloads that the engine kept at its start; nil before.
    package var kept: Set<UUID>? {
        state.withLockedValue { $0.kept }
    }

    package func download(
        _ order: ContentOrder,
        progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async -> DownloadOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLockedValue { state in
                    guard !Task.isCancelled else {
                        return true
                    }
                    state.runs[order.id] = Run(progress: progress, end: continuation)
                    return false
                }
                if isCancelled {
                    continuation.resume(returning: .stopped(receivedBytes: 0))
                }
                wake()
            }
        } onCancel: {
            end(order.id, .stopped(receivedBytes: 0))
        }
    }

    package func remove(_ id: UUID, of queue: QueueName) async {
        state.withLockedValue { $0.removed.append(id) }
        wake()
    }

    package func removeAll(except kept: Set<UUID>) async {
        state.withLockedValue { $0.kept = kept }
        wake()
    }

    package func hasLost(_ id: UUID, content: String, of queue: QueueName) async -> Bool {
        state.withLockedValue { $0.lost.contains(id) }
    }

    /// Loses the content of the download.
    package func lose(_ id: UUID) {
        state.withLockedValue { _ = $0.lost.insert(id) }
    }

    /// Whether the download is running.
    package func isRunning(_ id: UUID) -> Bool {
        state.withLockedValue { $0.runs[id] != nil }
    }

    /// Reports the download's progress.
    package func report(_ id: UUID, receivedBytes: Int64, timeRemaining: Duration? = nil) {
        let run = state.withLockedValue { $0.runs[id] }
        run?.progress(DownloadProgress(receivedBytes: receivedBytes, timeRemaining: timeRemaining))
    }

    /// Ends the download with this outcome.
    package func end(_ id: UUID, _ outcome: DownloadOutcome) {
        let run = state.withLockedValue { state in
            if case .published = outcome {
                state.lost.remove(id)
            }
            return state.runs.removeValue(forKey: id)
        }
        run?.end.resume(returning: outcome)
        wake()
    }

    /// Returns once the condition is true.
    package func wait(until isSo: @Sendable (ScriptedDownloader) -> Bool) async {
        while !isSo(self) {
            await withCheckedContinuation { continuation in
                state.withLockedValue { $0.waiting.append(continuation) }
                if isSo(self) {
                    wake()
                }
            }
        }
    }

    private func wake() {
        let waiting = state.withLockedValue { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }
}
