import ArgumentParser
import TillAudit
import TillClient

struct AuditVerifyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check by their hashes that no entry of the audit log was changed, removed or moved.",
        discussion: """
            For operators. The hashes are computed here, and not by the daemon. Who can rewrite the whole log, or cut \
            its end off, is found out only by a hash that was noted before: keep the last one elsewhere, and give it to \
            --expect. The exit status is 1 when the log is not intact.

            Example: till audit verify
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp("The last hash that was printed before.", valueName: "hash"),
        transform: AuditHash.parse
    )
    var expect: AuditHash?

    func run(_ console: Console) async throws {
        try await withOperator { store in
            var verification = AuditVerification(expected: expect?.text)
            for try await link in store.auditLog() where verification.isIntact {
                verification.look(at: link)
            }
            let line = verification.result
            try console.print(line, asJSON: common.json)
            if let fault = line.fault {
                throw CommandFailure(.failed, "The audit log is not intact: \(fault)")
            }
        }
    }
}
