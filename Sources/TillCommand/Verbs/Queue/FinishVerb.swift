import ArgumentParser
import FoundationEssentials
import TillClient

struct FinishVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Take transactions out of the queue, for good.",
        discussion: """
            Finishing a transaction again is harmless. The first that cannot be finished ends the command; nothing is \
            finished when one of them is not in the queue.

            Example: till finish 0199d2a4 0199d2b7
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(
        help: ArgumentHelp("UUIDs or their beginnings, or transaction identifiers.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var references: [TransactionReference] = []

    @Flag(help: "Finish all that are purchased, failed or restored.")
    var all = false

    @Flag(help: "Finish the older renewals of a subscription with a newer one.")
    var olderRenewals = false

    func validate() throws {
        guard all == references.isEmpty else {
            throw ValidationError("Name the transactions to finish, or give --all instead.")
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
