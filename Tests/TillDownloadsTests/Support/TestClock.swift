import NIOConcurrencyHelpers
import TillEngine

/// A virtual clock: a sleep returns immediately and advances the time. Each reading may advance it, too.
final class TestClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Duration.zero
        var sleeps: [Duration] = []
    }

    private let state = NIOLockedValueBox(State())
    private let step: Duration
    private let onSleep: @Sendable (Int) -> Void

    var now: Instant {
        state.withLockedValue { state in
            state.now += step
            return Instant(offset: state.now)
        }
    }
    var minimumResolution: Duration { .nanoseconds(1) }
    var sleeps: [Duration] { state.withLockedValue { $0.sleeps } }

    /// - Parameters:
    ///   - step: The time by which each reading advances the clock.
    ///   - onSleep: Called before a sleep ends, with its number from 1.
    init(step: Duration = .zero, onSleep: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.step = step
        self.onSleep = onSleep
    }

    func advance(by duration: Duration) {
        state.withLockedValue { $0.now += duration }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLockedValue { state in
            state.sleeps.append(deadline.offset - state.now)
            state.now = max(state.now, deadline.offset)
            return state.sleeps.count
        }
        onSleep(number)
        try Task.checkCancellation()
    }
}

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
