import ArgumentParser
import FoundationEssentials
import TillClient
import TillOutput

struct RestoreVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore purchases and wait for the end.",
        discussion: """
            The command prints each restored transaction, then the callback that ends the restore. If the restore fails, \
            the standard error explains why and the exit status is 1. Ctrl-C ends the wait, not the restore.

            Example: till restore --username ann
            """,
        subcommands: [RestoreStatusVerb.self, RestoreCancelVerb.self]
    )

    @OptionGroup var common: CommonOptions

    @Option(help: ArgumentHelp("Restore only purchases with this username.", valueName: "name"))
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
                let message = "The restore continues; till restore status \(begun.id.text) shows its progress."
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

struct RestoreStatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the progress of a restore.",
        discussion: "Example: till restore status 0199d2a4-8b1e-7c44-9f00-5a6b7c8d9e0f"
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The restore's UUID.", valueName: "id"), transform: IdentityArgument.parse)
    var id: IdentityArgument

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try console.print(RestoreLine(try await queue.status(ofRestore: id.uuid)), asJSON: common.json)
        }
    }
}

struct RestoreCancelVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Stop a restore; restored transactions stay in the queue.",
        discussion: """
            Observers are notified that the restore failed. A restore that already ended does not change.

            Example: till restore cancel 0199d2a4-8b1e-7c44-9f00-5a6b7c8d9e0f
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("The restore's UUID.", valueName: "id"), transform: IdentityArgument.parse)
    var id: IdentityArgument

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            try console.print(RestoreLine(try await queue.cancelRestore(id.uuid)), asJSON: common.json)
        }
    }
}
