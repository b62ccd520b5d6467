import ArgumentParser
import TillClient
import TillModel
import TillOutput

struct ReconcileVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Compare the ledger's charges with the provider's.",
        discussion: """
            For operators, while the daemon runs. Use tilld reconcile while the daemon is stopped. The exit status is \
            1 if the records disagree. What was prepared at the provider and is not to be charged any more is cancelled.

            Example: till reconcile
            """
    )

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws {
        try await withOperator(console) { store in
            let sum = try await compare(store, console)
            if !common.json {
                try console.print(ReconciliationLine.verdict(sum))
            }
            guard sum.agrees else {
                throw CommandFailure(.failed, nil)
            }
        }
    }

    /// Prints the differences.
    ///
    /// - Returns: The sum of all pages, without rows.
    private func compare(_ store: TillOperator, _ console: Console) async throws -> ReconciliationPage {
        var sum = ReconciliationPage(rows: [], agrees: true, compared: 0)
        repeat {
            let page = try await store.reconcile(page: sum.next)
            console.show?(ProgressBar.emptyLine)
            try page.rows.forEach { try console.print(ReconciliationLine(row: $0), asJSON: common.json) }
            sum.add(page)
            if sum.next != nil {
                console.show?("\(sum.compared) charges compared")
            }
        } while sum.next != nil
        return sum
    }
}
