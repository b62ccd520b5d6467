import NIOConcurrencyHelpers
import Testing

/// Lines that callbacks write and tests wait for.
final class Log: Sendable {
    private struct Waiter: Sendable {
        let isEnough: @Sendable ([String]) -> Bool
        let enough: AsyncStream<Void>.Continuation
    }

    private let state = NIOLockedValueBox<(lines: [String], waiters: [Waiter])>(([], []))

    var lines: [String] { state.withLockedValue { $0.lines } }

    func append(_ line: String) {
        append([line])
    }

    func append(_ new: [String]) {
        let woken = state.withLockedValue { state in
            state.lines += new
            let lines = state.lines
            let woken = state.waiters.filter { $0.isEnough(lines) }
            state.waiters.removeAll { $0.isEnough(lines) }
            return woken
        }
        woken.forEach { $0.enough.finish() }
    }

    /// Waits until matching lines exist; at the test's time limit, reports the lines that exist.
    func until(_ isEnough: @escaping @Sendable ([String]) -> Bool) async {
        let (stream, enough) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLockedValue { state in
            if isEnough(state.lines) {
                enough.finish()
            } else {
                state.waiters.append(Waiter(isEnough: isEnough, enough: enough))
            }
        }
        for await _ in stream {}
        if Task.isCancelled {
            Issue.record("Timed out; the lines are: \(lines)")
        }
    }
}
