import ArgumentParser
import FoundationEssentials
import TillClient

struct RestoreVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the account's purchases and wait for the end.",
        discussion: """
            Prints each restored transaction, then the callback that ended the restore. A failed one is explained on \
            the standard error too, and the exit status is then 1. Ctrl-C ends the wait and not the restore.

            Example: till restore --username ann
            """,
        subcommands: [RestoreStatusVerb.self, RestoreCancelVerb.self]
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("Only what was bought with this username.", valueName: "name"))
    var username: String?

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            let begun = try await queue.beginRestore(applicationUsername: username)
            let bar = ProgressBar(console, total: begun.totalCount)
            let interruption = try await console.untilInterrupted {
                try await follow(begun.id, in: queue, bar, console)
            }
            if let interruption {
                bar.clear()
                let message = "The restore goes on; till restore status \(begun.id.text) says how far it is."
                throw CommandFailure(interruption, message)
            }
        }
    }

    private func follow(_ id: UUID, in queue: PaymentQueue, _ bar: ProgressBar, _ console: Console) async throws {
        bar.draw()
        defer { bar.clear() }
        do {
            let count = try await queue.restoreCompletedTransactions(
                id: id,
                applicationUsername: username
            ) { [json = common.json] in
                let line = CallbackLine(callback: .updatedTransactions, subject: .transaction($0))
                try bar.step { try console.print(line, asJSON: json) }
            }
            bar.clear()
            let line = CallbackLine(callback: .restoreFinished, subject: .restored(id: id, count: count))
            try console.print(line, asJSON: common.json)
        } catch let error as PaymentError {
            bar.clear()
            let line = CallbackLine(callback: .restoreFailed, subject: .restoreFailed(id: id, error))
            try console.print(line, asJSON: common.json)
            throw CommandFailure(error, of: "The restore")
        }
    }
}
