import ArgumentParser
import TillClient
import TillOutput

struct ReconcileVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compare the ledger's charges with the provider's.",
        discussion: """
            For operators, while the daemon runs. Use tilld reconcile while the daemon is stopped. The exit status is \
            1 if the records disagree.

            Example: till reconcile
            """
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator { store in
            var agrees = true
            var compared = 0
            var token: UInt64?
            repeat {
                let page = try await store.reconcile(page: token)
                try page.rows.forEach { try console.print(ReconciliationLine(row: $0), asJSON: common.json) }
                agrees = agrees && page.agrees
                compared += page.compared
                token = page.next
            } while token != nil
            if !common.json {
                try console.print(ReconciliationLine.verdict(agrees: agrees, compared: compared))
            }
            guard agrees else {
                throw CommandFailure(.failed, nil)
            }
        }
    }
}
