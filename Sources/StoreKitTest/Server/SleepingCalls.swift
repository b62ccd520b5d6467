import Foundation
import NIOConcurrencyHelpers
import TillEngine

/// Calls that a fault delays by the session's clock.
final class SleepingCalls: Sendable {
    private struct State {
        var next = 0
        var isOpen = true
        var sleepers: [Int: (end: Date, interruption: AsyncStream<Void>.Continuation)] = [:]
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let time: any TimeSource
    private let state = NIOLockedValueBox(State())

    init(time: any TimeSource) {
        self.time = time
    }

    /// Sleeps for the duration.
    ///
    /// - Returns: False if ``close()`` interrupted it.
    func sleep(for duration: Duration) async -> Bool {
        let interruption = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let end = time.now().addingTimeInterval(duration / .seconds(1))
        let (number, watchers) = state.withLockedValue { state in
            state.next += 1
            state.sleepers[state.next] = (end, interruption.continuation)
            if !state.isOpen {
                interruption.continuation.finish()
            }
            return (state.next, Array(state.watchers.values))
        }
        defer { state.withLockedValue { $0.sleepers[number] = nil } }
        watchers.forEach { $0.yield() }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await self.time.sleep(for: duration)) != nil }
            group.addTask {
                for await _ in interruption.stream {}
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Interrupts all current and future sleeps until ``open()``.
    func close() {
        let sleepers = state.withLockedValue { state in
            state.isOpen = false
            return Array(state.sleepers.values)
        }
        sleepers.forEach { $0.interruption.finish() }
    }

    func open() {
        state.withLockedValue { $0.isOpen = true }
    }

    /// Returns once a call is sleeping until a future time.
    func waitForOne() async {
        let watch = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLockedValue { state in
            state.next += 1
            state.watchers[state.next] = watch.continuation
            return state.next
        }
        defer { state.withLockedValue { $0.watchers[number] = nil } }
        watch.continuation.yield()
        for await _ in watch.stream where isAnyAsleep {
            return
        }
    }

    private var isAnyAsleep: Bool {
        let now = time.now()
        return state.withLockedValue { $0.sleepers.values.contains { $0.end > now } }
    }
}
