import NIOConcurrencyHelpers
import StoreKit
internal import Testing
import TillClient

/// Which session the process's `SKPaymentQueue` follows. A process has one, while Swift Testing runs tests beside each other.
///
/// - A new session is followed unless one of another test is. Outside of Swift Testing, as in XCTest, the newest always is.
/// - A test that uses the queue claims it for its own session, until that is let go of.
/// - A test that uses the queue while another test has claimed it fails, with a message that says what to do.
/// - Without sessions the queue goes back to the daemon of before.
enum FollowedSessions {
    private struct Entry {
        var server: SessionServer
        /// The test that made it; nil outside of Swift Testing. The cases of a parameterised test count as one.
        var test: Test.ID?
    }

    private struct State {
        /// In the order in which they were created.
        var entries: [Entry] = []
        var followed: SessionServer?
        var claimant: Test.ID?
        /// Tests that were told of the collision.
        var told: Set<Test.ID> = []
        /// What the queue was connected to before the first; nil for what it is without a word.
        var before: ClientConfiguration?

        func newest(of test: Test.ID?) -> SessionServer? {
            entries.last { $0.test == test }?.server
        }

        /// Whether a new session of the test is followed at once.
        func isFree(for test: Test.ID?) -> Bool {
            if let claimant {
                return claimant == test
            }
            let other = entries.first { $0.server === followed }?.test
            return test == nil || other == nil || other == test
        }
    }

    private static let state = NIOLockedValueBox(State())

    static func begin(_ server: SessionServer) {
        SKPaymentQueue.useHandler = use
        let test = Test.current?.id
        state.withLockedValue { state in
            if state.entries.isEmpty {
                state.before = SKPaymentQueue.process.connection?.configuration
            }
            let isFollowed = state.isFree(for: test)
            state.entries.append(Entry(server: server, test: test))
            if isFollowed {
                follow(server, &state)
            }
        }
    }

    static func end(_ server: SessionServer) {
        state.withLockedValue { state in
            state.entries.removeAll { $0.server === server }
            if let claimant = state.claimant, state.newest(of: claimant) == nil {
                state.claimant = nil
            }
            if state.followed === server {
                follow(state.claimant.flatMap { state.newest(of: $0) } ?? state.entries.last?.server, &state)
            }
        }
    }

    /// Claims the queue for the test that is about to use it, if the test has a session.
    private static func use() {
        guard let test = Test.current?.id else {
            return
        }
        let collides = state.withLockedValue { state in
            guard state.claimant != test, let own = state.newest(of: test) else {
                return false
            }
            guard state.claimant == nil else {
                return state.told.insert(test).inserted
            }
            state.claimant = test
            if state.followed !== own {
                follow(own, &state)
            }
            return false
        }
        if collides {
            Issue.record(
                """
                SKPaymentQueue.default() follows the SKTestSession of another test that runs at the same time. Use it \
                within session.withQueue { … }, or put both tests into one suite with the trait .serialized.
                """
            )
        }
    }

    /// Called with the lock held, so that the queue follows in the order in which sessions come and go.
    private static func follow(_ server: SessionServer?, _ state: inout State) {
        state.followed = server
        if let server {
            SKPaymentQueue.process.connection?.connect(server.configuration, receiptPath: server.receiptPath)
        } else if let before = state.before {
            SKPaymentQueue.process.connection?.connect(before)
        } else {
            SKPaymentQueue.connect()
        }
    }
}
