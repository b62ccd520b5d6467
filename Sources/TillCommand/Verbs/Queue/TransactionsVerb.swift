import ArgumentParser
import TillClient

struct TransactionsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "List the unfinished transactions, the oldest first.",
        discussion: "Example: till transactions --all --json"
    )

    @OptionGroup var common: CommonOptions

    @Flag(help: "List the finished ones too.")
    var all = false

    func run(_ console: Console) async throws {
        try await withQueue(console) { queue in
            var list = (all ? queue.allTransactions : queue.transactions).makeAsyncIterator()
            while let transaction = try await list.next() {
                try console.print(TransactionLine(transaction: transaction), asJSON: common.json)
            }
        }
    }
}
