import ArgumentParser
import FoundationEssentials
import TillClient

struct FinishVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Take transactions out of the queue, for good.",
        discussion: "Finishing a transaction again is harmless. The first that cannot be finished ends the command."
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: ArgumentHelp("UUIDs, or transaction identifiers.", valueName: "id"))
    var references: [TransactionReference] = []

    @Flag(help: "Finish all that are purchased, failed or restored.")
    var all = false

    func validate() throws {
        guard all == references.isEmpty else {
            throw ValidationError("Name the transactions to finish, or give --all instead.")
        }
    }

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            for id in all ? try await finalIDs(queue) : try await ids(queue) {
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

    /// In the order given; nothing is finished when one of them is not in the queue.
    private func ids(_ queue: PaymentQueue) async throws(TillError) -> [UUID] {
        var wanted = Set(references.compactMap(\.identifier))
        var found: [String: UUID] = [:]
        var list = queue.allTransactions.makeAsyncIterator()
        while !wanted.isEmpty, let transaction = try await list.next() {
            if let identifier = transaction.purchase?.transactionIdentifier, wanted.remove(identifier) != nil {
                found[identifier] = transaction.id
            }
        }
        if let missing = wanted.min() {
            throw TillError(.notFound, "The queue has no transaction \(missing).")
        }
        return references.compactMap { reference in
            switch reference {
            case .id(let id): id
            case .identifier(let identifier): found[identifier]
            }
        }
    }
}
