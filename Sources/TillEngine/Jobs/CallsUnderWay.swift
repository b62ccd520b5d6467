import NIOConcurrencyHelpers

/// The charges or refunds that a call is at work on: one call at a time for each.
final class CallsUnderWay<ID: Hashable & Sendable>: Sendable {
    /// With the tasks that wait for the end of the call.
    private let calls = NIOLockedValueBox<[ID: [CheckedContinuation<Void, Never>]]>([:])

    /// Begins a call, which ``end(_:)`` ends.
    ///
    /// - Returns: False if another call is at work.
    func begin(_ id: ID) -> Bool {
        calls.withLockedValue { calls in
            guard calls[id] == nil else {
                return false
            }
            calls[id] = []
            return true
        }
    }

    func end(_ id: ID) {
        let waiting = calls.withLockedValue { $0.removeValue(forKey: id) } ?? []
        waiting.forEach { $0.resume() }
    }

    /// Begins a call once no other is at work.
    func beginInTurn(_ id: ID) async {
        while !begin(id) {
            await waitForEnd(of: id)
        }
    }

    /// Returns once all calls that are at work now have ended. A call ends in time, because the wait for the provider's
    /// answer is limited.
    func settle() async {
        for id in calls.withLockedValue({ Array($0.keys) }) {
            await waitForEnd(of: id)
        }
    }

    private func waitForEnd(of id: ID) async {
        await withCheckedContinuation { continuation in
            let hasEnded = calls.withLockedValue { calls in
                calls[id]?.append(continuation)
                return calls[id] == nil
            }
            if hasEnded {
                continuation.resume()
            }
        }
    }
}
