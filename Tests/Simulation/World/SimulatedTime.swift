import FoundationEssentials
import TillEngine

/// The wall clock of the machine, which may be set while time passes.
// One thread runs the whole simulation, so no two threads access this.
final class WallClock: @unchecked Sendable {
    private static let start = 1_800_000_000.0
    var offset: TimeInterval = 0

    func date(after time: Duration) -> Date {
        Date(timeIntervalSince1970: Self.start + offset + time / .seconds(1))
    }
}

/// The time of one process: dates from the wall clock, and waits on the simulation's own clock.
// One thread runs the whole simulation, so no two threads access this.
final class SimulatedTime: TimeSource, @unchecked Sendable {
    private let scheduler: Scheduler
    private let clock: WallClock
    private var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var hasEnded = false

    init(scheduler: Scheduler, clock: WallClock) {
        self.scheduler = scheduler
        self.clock = clock
    }

    func now() -> Date {
        clock.date(after: scheduler.now)
    }

    func sleep(for duration: Duration) async throws {
        let sleep = Sleep()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !hasEnded, !Task.isCancelled else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                let timer = scheduler.after(duration) { [self] in wake(sleep) }
                sleep.timer = timer
                sleepers[timer] = continuation
            }
        } onCancel: {
            scheduler.cancel(sleep.timer)
            sleepers.removeValue(forKey: sleep.timer)?.resume(throwing: CancellationError())
        }
    }

    /// Wakes all sleeping tasks with an error, and refuses later sleeps.
    func end() {
        hasEnded = true
        let woken = sleepers.sorted { $0.key < $1.key }
        sleepers = [:]
        for (timer, continuation) in woken {
            scheduler.cancel(timer)
            continuation.resume(throwing: CancellationError())
        }
    }

    private func wake(_ sleep: Sleep) {
        sleepers.removeValue(forKey: sleep.timer)?.resume()
    }

    // One thread runs the whole simulation, so no two threads access this.
    private final class Sleep: @unchecked Sendable {
        var timer = 0
    }
}
