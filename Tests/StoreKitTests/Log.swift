import NIOConcurrencyHelpers

/// Lines that are written by callbacks and waited for by tests.
final class Log: Sendable {
    private struct Waiter: Sendable {
        let isEnough: @Sendable ([String]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
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
        woken.forEach { $0.continuation.resume() }
    }

    func until(_ isEnough: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLockedValue { state in
                if isEnough(state.lines) {
                    return true
                }
                state.waiters.append(Waiter(isEnough: isEnough, continuation: continuation))
                return false
            }
            if isThere {
                continuation.resume()
            }
        }
    }
}
