import NIOConcurrencyHelpers

/// Tells that there may be something new. A ring is kept until it is taken; several are one.
final class Doorbell: Sendable {
    private struct State {
        var isRung = false
        var waiting: AsyncStream<Void>.Continuation?
    }

    private let state = NIOLockedValueBox(State())

    func ring() {
        state.withLockedValue { state in
            state.isRung = true
            return state.waiting
        }?.yield()
    }

    /// Whether it was rung since it was taken before.
    func take() -> Bool {
        state.withLockedValue { state in
            defer { state.isRung = false }
            return state.isRung
        }
    }

    /// Returns once it is rung, or after `duration`; at once if a ring was not taken yet. One task at a time may wait.
    ///
    /// - Throws: `CancellationError`.
    func wait(for duration: Duration, _ time: any TimeSource) async throws {
        let rings = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isRung = state.withLockedValue { state in
            state.waiting = rings.continuation
            return state.isRung
        }
        defer { state.withLockedValue { $0.waiting = nil } }
        if !isRung {
            _ = try await time.sleep(for: duration, orUntil: rings.stream)
        }
    }
}
