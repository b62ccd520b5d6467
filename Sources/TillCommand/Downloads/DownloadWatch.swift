import FoundationEssentials
import TillModel

/// Downloads that somebody waits for, as lists of the queue's downloads show them one after the other.
struct DownloadWatch {
    /// As they were last seen, in the order given.
    private(set) var downloads: [Download]
    /// Those that left the list, because their transaction was finished.
    private(set) var gone: Set<UUID> = []

    init(_ downloads: [Download]) {
        self.downloads = downloads
    }

    /// Takes in a list of all downloads.
    ///
    /// - Returns: Those whose state is another than before, in the order given.
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

    /// Whether nothing is left to wait for.
    var isOver: Bool {
        downloads.allSatisfy { $0.state.isEnd || gone.contains($0.id) }
    }

    /// Those that go on only when somebody says so.
    var resting: [Download] {
        downloads.filter { ($0.state == .waiting || $0.state == .paused) && !gone.contains($0.id) }
    }

    /// Those that did not finish.
    var failures: [Download] {
        downloads.filter { $0.state != .finished || gone.contains($0.id) }
    }

    /// How far all are together.
    var progress: DownloadProgressSum {
        DownloadProgressSum(downloads.filter { !gone.contains($0.id) })
    }
}

extension DownloadState {
    /// Whether a download stays as it is, unless it is started again.
    fileprivate var isEnd: Bool {
        switch self {
        case .finished, .failed, .cancelled: true
        case .waiting, .active, .paused: false
        }
    }
}
