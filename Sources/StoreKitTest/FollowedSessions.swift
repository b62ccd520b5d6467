import NIOConcurrencyHelpers
import StoreKit
internal import Testing
import TillClient

/// Decides which session the process's `SKPaymentQueue` follows. A process has one queue, but Swift Testing runs tests
/// in parallel.
///
/// - The queue follows a new session, unless it follows one of another test. Outside Swift Testing, as in XCTest, it
///   always follows the newest session.
/// - A test that uses the queue claims it for its own session until that session is released.
/// - A test that uses the queue while another test has claimed it fails, with a message that explains what to do.
/// - Without sessions the queue returns to its previous daemon.
enum FollowedSessions {
    private struct Entry {
        var server: SessionServer
        /// The test that created the session; nil outside Swift Testing. The cases of a parameterised test count as
        /// one.
        var test: Test.ID?
    }

    private struct State {
        /// In the order in which they were created.
        var entries: [Entry] = []
        var followed: SessionServer?
        var claimant: Test.ID?
        /// The tests for which the collision was reported.
        var reported: Set<Test.ID> = []
        /// The queue's configuration before the first session; nil for the default.
        var previous: ClientConfiguration?

        func newest(of test: Test.ID?) -> SessionServer? {
            entries.last { $0.test == test }?.server
        }

        /// Whether the queue follows a new session of the test immediately.
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
                state.previous = SKPaymentQueue.process.connection?.configuration
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
                return state.reported.insert(test).inserted
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

    /// Called with the lock held, so that the queue switches in the order in which sessions begin and end.
    private static func follow(_ server: SessionServer?, _ state: inout State) {
        state.followed = server
        if let server {
            SKPaymentQueue.process.connection?.connect(server.configuration, receiptPath: server.receiptPath)
        } else if let previous = state.previous {
            SKPaymentQueue.process.connection?.connect(previous)
        } else {
            SKPaymentQueue.connect()
        }
    }
}
