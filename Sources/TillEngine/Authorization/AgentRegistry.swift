import NIOConcurrencyHelpers

/// The authorisation agents that are attached now, by account.
final class AgentRegistry: Sendable {
    private struct State {
        var next = 0
        var agents: [Int: (account: String, wake: AsyncStream<Void>.Continuation)] = [:]
        var counts: [String: Int] = [:]
    }

    private let state = NIOLockedValueBox(State())

    /// - Returns: The agent's number, for ``detach(_:)``.
    func attach(account: String, wake: AsyncStream<Void>.Continuation) -> Int {
        state.withLockedValue { state in
            state.next += 1
            state.agents[state.next] = (account, wake)
            state.counts[account, default: 0] += 1
            return state.next
        }
    }

    func detach(_ number: Int) {
        state.withLockedValue { state in
            guard let agent = state.agents.removeValue(forKey: number) else {
                return
            }
            state.counts[agent.account, default: 1] -= 1
            if state.counts[agent.account] == 0 {
                state.counts[agent.account] = nil
            }
        }
    }

    func isAttached(account: String) -> Bool {
        state.withLockedValue { $0.counts[account] != nil }
    }

    /// Has every agent look again.
    func wakeAll() {
        let wakes = state.withLockedValue { $0.agents.values.map(\.wake) }
        wakes.forEach { $0.yield() }
    }
}
