package import FoundationEssentials
import NIOConcurrencyHelpers

#if MUTANTS
    import Mutants
#endif

/// The engine's clock; nothing in the engine reads the wall clock directly.
package protocol TimeSource: Sendable {
    func now() -> Date
    /// Returns after `duration`, or throws when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The machine's time: dates from the wall clock, waits from the monotonic one, so that a jump of the wall clock delays
/// nothing.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date {
        Date()
    }

    package func sleep(for duration: Duration) async throws {
        #if MUTANTS
            if Mutant.wallClockTimeout.isPlanted {
                return try await sleepByTheWallClock(for: duration)
            }
        #endif
        try await Task.sleep(for: duration, clock: .continuous)
    }
}

#if MUTANTS
    extension SystemTime {
        private func sleepByTheWallClock(for duration: Duration) async throws {
            let end = Date().addingTimeInterval(duration / .seconds(1))
            while Date() < end {
                try await Task.sleep(for: .milliseconds(5), clock: .continuous)
            }
        }
    }
#endif

/// A clock ahead of another one by an offset that only grows. Sleepers wake when their time has come by this clock.
package final class AdjustableTime: TimeSource {
    private struct State {
        var offset = Duration.zero
        var next = 0
        var sleepers: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let base: any TimeSource
    private let state = NIOLockedValueBox(State())

    package init(_ base: any TimeSource = SystemTime()) {
        self.base = base
    }

    /// How far it is ahead.
    package var offset: Duration {
        state.withLockedValue { $0.offset }
    }

    package func now() -> Date {
        base.now().addingTimeInterval(offset.timeInterval)
    }

    package func sleep(for duration: Duration) async throws {
        let advances = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = subscribe(advances.continuation)
        defer { state.withLockedValue { $0.sleepers[number] = nil } }
        let (start, startOffset) = (base.now(), offset)
        var remaining = duration
        while remaining > .zero {
            guard try await base.sleep(for: remaining, orUntil: advances.stream) else {
                return
            }
            let slept = Duration.seconds(base.now().timeIntervalSince(start))
            // A jump of the base's wall clock does not lengthen a sleep.
            remaining = min(remaining, duration - slept - (offset - startOffset))
        }
    }

    /// Sets how far it is ahead; never back.
    func advance(to offset: Duration) {
        let sleepers = state.withLockedValue { state in
            state.offset = max(state.offset, offset)
            return Array(state.sleepers.values)
        }
        sleepers.forEach { $0.yield() }
    }

    private func subscribe(_ continuation: AsyncStream<Void>.Continuation) -> Int {
        state.withLockedValue { state in
            state.next += 1
            state.sleepers[state.next] = continuation
            return state.next
        }
    }
}

extension TimeSource {
    /// Returns after `duration`, or at the next element of `signals`, whichever is first.
    ///
    /// - Returns: Whether it was an element.
    /// - Throws: `CancellationError`.
    func sleep(for duration: Duration, orUntil signals: AsyncStream<Void>) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await self.sleep(for: duration)
                return false
            }
            group.addTask {
                for await _ in signals {
                    return true
                }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }
}
