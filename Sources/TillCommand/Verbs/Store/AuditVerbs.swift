import ArgumentParser
import TillAudit
import TillClient
import TillOutput

struct AuditVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List operators' actions, oldest first.",
        discussion: """
            For operators.

            Example: till audit --json
            """,
        subcommands: [AuditVerifyVerb.self]
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            try await console.print(list: store.auditLog(), asJSON: common.json, AuditLine.init)
        }
    }
}

struct AuditVerifyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that no audit log entry was changed or removed.",
        discussion: """
            For operators. This command computes the hashes itself, without the daemon. A log that was rewritten from \
            its beginning, or truncated, can only be detected with an earlier hash: store the last hash elsewhere, \
            and pass it to --expect. The exit status is 1 if the log is not intact.

            Example: till audit verify
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp("The last hash of an earlier verification.", valueName: "hash"),
        transform: AuditHash.parse
    )
    var expect: AuditHash?

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
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

/// The hash of an entry of the audit log: 64 hexadecimal digits.
struct AuditHash: ArgumentText, Hashable, Sendable {
    static let digitCount = 64

    /// The digits in lower case.
    let text: String

    static let rule = "use the 64 hexadecimal digits that till audit verify prints"

    init?(argument: String) {
        let text = argument.lowercased()
        guard text.utf8.count == Self.digitCount, text.count == Self.digitCount, text.allSatisfy(\.isHexDigit) else {
            return nil
        }
        self.text = text
    }
}
