import ArgumentParser
import FoundationEssentials
import TillClient
import TillOutput

struct WatchVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print the queue's callbacks until Ctrl-C.",
        discussion: """
            The unfinished transactions come first. Each line begins with the name of StoreKit's callback. If the \
            connection is lost, the standard error says so; the command reconnects and misses nothing.

            Example: till watch --json
            """
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "Show only the newest unfinished renewal of each subscription.")
    var collapseRenewals = false

    func run(_ console: Console) async throws {
        try await withQueue(console, collapsesRenewals: collapseRenewals) { queue in
            _ = try await console.untilInterrupted { try await follow(queue, console) }
        }
    }

    private func follow(_ queue: PaymentQueue, _ console: Console) async throws {
        // A daemon that cannot be reached at the start is an error. Later, the command waits for it.
        _ = try await queue.status()
        var connection = ConnectionNotices(daemon: "the daemon at \(queue.configuration.socketPath)")
        for try await change in queue.watchedChanges {
            if case .connection(let state) = change {
                connection.notice(isConnected: state == .connected, console)
            }
            try CallbackLine.lines(change).forEach { try console.print($0, asJSON: common.json) }
        }
    }
}

struct FinishVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Finish transactions, which removes them from the queue.",
        discussion: """
            Finishing a transaction again is harmless. If the queue lacks one of the transactions, none is finished. \
            The command stops at the first transaction that cannot be finished.

            Example: till finish 0199d2a4 0199d2b7
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("UUIDs, UUID prefixes, or transaction identifiers.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var references: [TransactionReference] = []

    @Flag(help: "Finish all purchased, failed and restored transactions.")
    var all = false

    @Flag(help: "Also finish older renewals of the same subscription.")
    var olderRenewals = false

    func validate() throws {
        guard all == references.isEmpty else {
            throw ValidationError("Name the transactions to finish, or use --all.")
        }
    }

    func run(_ console: Console) async throws {
        try await withQueue(console, collapsesRenewals: olderRenewals) { queue in
            for id in all ? try await finalIDs(queue) : try await references.ids(inQueue: queue.allTransactions) {
                try await queue.finish(id: id)
                try console.print(FinishedLine(id: id), asJSON: common.json)
            }
        }
    }

    private func finalIDs(_ queue: PaymentQueue) async throws(TillError) -> [UUID] {
        var ids: [UUID] = []
        var list = queue.transactions.makeAsyncIterator()
        while let transaction = try await list.next() {
            if transaction.state.isFinal { ids.append(transaction.id) }
        }
        return ids
    }
}
