import FaultRuns
import Foundation
import GRDB
import ProcessTesting
import TestValues
import Testing
import TillAudit
import TillClient
import TillEngine
import TillSQLite

/// Changes the audit log of a daemon behind its back, and verifies the result.
@Suite struct AuditMutationTests {
    static let actions = 24
    static let mutationsDefault = 400

    @Test func everyChangeUpToTheAnchorIsFound() async throws {
        var random = SplitMix64.fromEnvironment()
        let given = ProcessInfo.processInfo.environment["TILL_AUDIT_MUTATIONS"].flatMap { Int($0) }
        let count = given ?? Self.mutationsDefault
        print("Audit mutations: \(count); repeat them with TILL_TEST_SEED=\(random.seed)")
        try #require(count > 0)
        try await Site.with { site in
            let anchor = try await makeLog(site)
            #expect(try await verdict(site) == .intact(anchor))
            let database = try DatabaseQueue(path: site.ledger, configuration: .guardingPages)
            try await database.write { try $0.execute(sql: "CREATE TABLE untouched AS SELECT * FROM audit") }
            for number in 0..<count {
                let mutation = AuditMutation.random(of: anchor.sequence, using: &random)
                try await database.write(mutation.apply)
                let verdict = try await verdict(site)
                #expect(verdict != .intact(anchor), "mutation \(number), \(mutation), was not found")
                try await database.write(AuditMutation.undo)
            }
            #expect(try await self.verdict(site) == .intact(anchor))
            try database.close()
        }
    }

    /// Lets an operator make changes, and returns the audit head that the operator notes elsewhere.
    private func makeLog(_ site: Site) async throws -> AuditHead {
        let daemon = try await site.startServingDaemon()
        let store = TillOperator(ClientConfiguration(application: Site.application, socketPath: site.socket))
        for number in 0..<Self.actions {
            try await store.changeSettings(["ask-to-buy": "\(number.isMultiple(of: 2))"], because: "round \(number)")
        }
        await store.close()
        daemon.signal(SIGTERM)
        #expect(await daemon.exit() == .status(0))
        guard case .intact(let head) = try await verdict(site) else {
            throw TillError(.dataLoss, "The daemon's own log is broken.")
        }
        try #require(head.sequence >= Int64(Self.actions))
        return head
    }

    private func verdict(_ site: Site) async throws -> AuditVerdict {
        let ledger = try SQLiteLedger.openReadOnly(path: site.ledger)
        let links = try await ledger.read { try $0.audit(after: 0, limit: 10 * Self.actions) }
        try await ledger.close()
        return AuditChain.verify(links, after: .start)
    }
}
