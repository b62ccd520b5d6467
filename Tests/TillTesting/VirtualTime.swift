package import FoundationEssentials
import Synchronization
import TillEngine

/// A clock that stands still until a test moves it.
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

    private let state = Mutex(State())

    package init() {}

    package func now() -> Date {
        state.withLock { $0.now }
    }

    package func sleep(for duration: Duration) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
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
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock, and wakes who slept until then.
    package func advance(by seconds: TimeInterval) {
        let woken = state.withLock { state in
            state.now += seconds
            let due = state.sleepers.filter { $0.value.wakesAt <= state.now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return due.values.map(\.continuation)
        }
        woken.forEach { $0.resume() }
    }
}
