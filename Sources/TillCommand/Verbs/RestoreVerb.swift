import ArgumentParser
import TillClient

struct RestoreVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the account's purchases and wait for the end.",
        discussion: """
            Prints each restored transaction, then the callback that ended the restore. A failed one is explained on \
            the standard error too, and the exit status is then 1.
            """
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("Only what was bought with this username.", valueName: "name"))
    var username: String?

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            do {
                let count = try await queue.restoreCompletedTransactions(applicationUsername: username) { transaction in
                    let line = CallbackLine(callback: .updatedTransactions, subject: .transaction(transaction))
                    try console.print(line, asJSON: common.json)
                }
                let line = CallbackLine(callback: .restoreFinished, subject: .restored(id: nil, count: count))
                try console.print(line, asJSON: common.json)
            } catch let error as PaymentError {
                let line = CallbackLine(callback: .restoreFailed, subject: .restoreFailed(id: nil, error))
                try console.print(line, asJSON: common.json)
                throw CommandFailure(error, of: "The restore")
            }
        }
    }
}
