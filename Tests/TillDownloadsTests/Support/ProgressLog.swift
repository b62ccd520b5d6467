import NIOConcurrencyHelpers
import TillEngine

/// The reported progress of a download, with times.
final class ProgressLog: Sendable {
    private let clock: TestClock
    private let log = NIOLockedValueBox<[(bytes: Int64, time: Duration)]>([])

    var entries: [(bytes: Int64, time: Duration)] { log.withLockedValue { $0 } }
    var times: [Duration] { entries.map(\.time) }

    init(_ clock: TestClock) {
        self.clock = clock
    }

    func add(_ progress: DownloadProgress) {
        let time = clock.now.offset
        log.withLockedValue { $0.append((progress.receivedBytes, time)) }
    }
}
