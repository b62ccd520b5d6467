import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// What an application learns of the queue of another, and a user of the queue of another.
@Suite struct IsolationTests {
    /// Stands in every payment of the queue that is to stay secret.
    static let canary = "canary-4b1d7c"
    static let nobody: UInt32 = 65534

    @Test func anApplicationLearnsNothingOfAnother() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let secret = try await Secret(site)
            let report = try await secret.probe(application: "org.example.beta")
            #expect(report.answers == Self.strangersAnswers)
            try await secret.expectUntouched(by: report)
            try await end(daemon)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
    func aUserLearnsNothingOfAnother() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon(["--allow-users", String(Self.nobody)])
            let secret = try await Secret(site)
            let report = try await secret.probe(application: Site.application, user: Self.nobody)
            #expect(report.answers == Self.strangersAnswers)
            try await secret.expectUntouched(by: report)
            try await end(daemon)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
    func aUserWhoIsNotAllowedIsRefusedEveryMethod() async throws {
        try await Site.with { site in
            // Somebody else is allowed, so that everybody can connect.
            let daemon = try await site.startServingDaemon(["--allow-users", "65533"])
            let secret = try await Secret(site)
            let report = try await secret.probe(application: Site.application, user: Self.nobody)
            let methods = Self.strangersAnswers.keys.filter { $0 != "Restored" }
            #expect(report.answers == methods.reduce(into: [:]) { $0[$1] = "PERMISSION_DENIED" })
            try await secret.expectUntouched(by: report)
            try await end(daemon)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
    func withoutOtherUsersNobodyElseCanConnect() async throws {
        try await Site.with { site in
            let daemon = try await site.startServingDaemon()
            let secret = try await Secret(site)
            let report = try await secret.probe(application: Site.application, user: Self.nobody)
            #expect(report.exit != .status(0))
            #expect(report.answers.isEmpty)
            try await end(daemon)
        }
    }

    /// What each method answers to who names the identities of somebody else.
    private static let strangersAnswers = [
        "Hello": "OK", "CanMakePayments": "OK", "AddPayment": "ALREADY_EXISTS", "FinishTransaction": "NOT_FOUND",
        "ListTransactions": "OK", "RestoreCompletedTransactions": "OK", "Observe": "OK", "Acknowledge": "OK",
        "Cancel": "OK", "Products": "OK", "Storefront": "OK",
        // How many the restore restored.
        "Restored": "0",
    ]

    private func end(_ daemon: ChildProcess) async throws {
        daemon.signal(SIGTERM)
        #expect(await daemon.exit() == .status(0))
    }
}
