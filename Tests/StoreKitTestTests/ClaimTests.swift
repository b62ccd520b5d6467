import Foundation
import NIOConcurrencyHelpers
import StoreKitTest
import Testing
import TillClient

@testable import StoreKit

/// The process's queue follows the session of the test that uses it. The suite's tests run one at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ClaimTests {
    private var followedApplication: String? {
        SKPaymentQueue.process.connection?.configuration?.application
    }

    private func session(_ application: String) throws -> SKTestSession {
        try SKTestSession(contentsOf: try Store.file(), application: application)
    }

    @Test func aTestClaimsTheQueueForItsOwnSessionByUsingIt() async throws {
        let others = try await Task.detached { try self.session("org.example.others") }.value
        let own = try session("org.example.own")
        _ = SKPaymentQueue.default().transactions
        #expect(followedApplication == "org.example.own")
        // A later session from another context does not take the queue over.
        let later = try await Task.detached { try self.session("org.example.later") }.value
        #expect(followedApplication == "org.example.own")
        withExtendedLifetime([others, own, later]) {}
    }

    private static let held = NIOLockedValueBox<SKTestSession?>(nil)

    @Test func oneTestClaimsTheQueue() throws {
        let session = try session("org.example.claimant")
        _ = SKPaymentQueue.default().transactions
        Self.held.withLockedValue { $0 = session }
    }

    /// Runs after the test above because the suite is serialised, while that test's session still exists.
    @Test func anotherTestThatUsesTheClaimedQueueFails() throws {
        let claimant = try #require(Self.held.withLockedValue { $0 })
        let own = try session("org.example.late")
        withKnownIssue {
            _ = SKPaymentQueue.default().transactions
        } matching: { issue in
            issue.description.contains("session.withQueue")
        }
        #expect(followedApplication == "org.example.claimant")
        own.withQueue {
            #expect(SKPaymentQueue.default().connection?.configuration?.application == "org.example.late")
        }
        withExtendedLifetime(claimant) { Self.held.withLockedValue { $0 = nil } }
    }

    @Test func theQueueIsFreeAgainWhenTheSessionIsReleased() throws {
        for name in ["org.example.first", "org.example.second"] {
            let session = try session(name)
            _ = SKPaymentQueue.default().transactions
            #expect(followedApplication == name)
            withExtendedLifetime(session) {}
        }
    }
}
