import FoundationEssentials
import TillEngine

/// The wall clock of the machine, which may be set while time passes.
// One thread runs a simulation, so that nothing here is touched by two at once.
final class WallClock: @unchecked Sendable {
    private static let start = 1_800_000_000.0
    var offset: TimeInterval = 0

    func date(after time: Duration) -> Date {
        Date(timeIntervalSince1970: Self.start + offset + time / .seconds(1))
    }
}

/// The time of one process: dates by the wall clock, waits by the simulation's own.
// One thread runs a simulation, so that nothing here is touched by two at once.
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

    /// Wakes all who sleep by an error, and lets nobody sleep any more.
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

    // One thread runs a simulation, so that nothing here is touched by two at once.
    private final class Sleep: @unchecked Sendable {
        var timer = 0
    }
}
