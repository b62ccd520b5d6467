import NIOConcurrencyHelpers
import StoreKit
import TillClient

/// The sessions of the process, in the order in which they were created. `SKPaymentQueue` follows the last of those that
/// there are, and goes back to the daemon of before when there is none.
enum FollowedSessions {
    private struct State {
        var servers: [SessionServer] = []
        /// What the queue was connected to before the first; nil for what it is without a word.
        var before: ClientConfiguration?
    }

    private static let state = NIOLockedValueBox(State())

    static func begin(_ server: SessionServer) {
        state.withLockedValue { state in
            if state.servers.isEmpty {
                state.before = SKPaymentQueue.process.connection?.configuration
            }
            state.servers.append(server)
            follow(state)
        }
    }

    static func end(_ server: SessionServer) {
        state.withLockedValue { state in
            let wasLast = state.servers.last === server
            state.servers.removeAll { $0 === server }
            if wasLast {
                follow(state)
            }
        }
    }

    /// Called with the lock held, so that queues follow in the order in which sessions come and go.
    private static func follow(_ state: State) {
        if let server = state.servers.last {
            SKPaymentQueue.process.connection?.connect(server.configuration, receiptPath: server.receiptPath)
        } else if let before = state.before {
            SKPaymentQueue.process.connection?.connect(before)
        } else {
            SKPaymentQueue.connect()
        }
    }
}
