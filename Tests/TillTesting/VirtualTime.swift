package import FoundationEssentials
import NIOConcurrencyHelpers
import TillEngine

/// A clock that moves only when a test advances it.
package final class VirtualTime: TimeSource {
    private struct Sleeper {
        var wakesAt: Date
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    package func now() -> Date {
        state.withLockedValue { $0.now }
    }

    package func sleep(for duration: Duration) async throws {
        let number = state.withLockedValue { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLockedValue { state in
                    guard !Task.isCancelled else {
                        return true
                    }
                    let wakesAt = state.now.addingTimeInterval(duration / .seconds(1))
                    state.sleepers[number] = Sleeper(wakesAt: wakesAt, continuation: continuation)
                    return false
                }
                if isCancelled {
                    continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let sleeper = state.withLockedValue { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// How many tasks sleep.
    package var sleeperCount: Int {
        state.withLockedValue { $0.sleepers.count }
    }

    /// Sets the clock back, as a wall clock may be. This does not change the duration of sleeps.
    package func setBack(by seconds: TimeInterval) {
        state.withLockedValue { state in
            state.now -= seconds
            for number in state.sleepers.keys {
                state.sleepers[number]?.wakesAt -= seconds
            }
        }
    }

    /// Advances the clock, and wakes tasks whose sleep has ended.
    package func advance(by seconds: TimeInterval) {
        let woken = state.withLockedValue { state in
            state.now += seconds
            let due = state.sleepers.filter { $0.value.wakesAt <= state.now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return due.values.map(\.continuation)
        }
        woken.forEach { $0.resume() }
    }
}
