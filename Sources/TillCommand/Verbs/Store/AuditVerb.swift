import ArgumentParser
import TillClient

struct AuditVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List what operators did, the oldest first.",
        discussion: """
            For operators.

            Example: till audit --json
            """,
        subcommands: [AuditVerifyVerb.self]
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator { store in
            for try await link in store.auditLog() {
                try console.print(AuditLine(link: link), asJSON: common.json)
            }
        }
    }
}
