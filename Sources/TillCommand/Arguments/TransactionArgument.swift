import ArgumentParser
import FoundationEssentials
import TillClient

/// The transaction of any queue that an operator's verb is about.
struct TransactionArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A transaction: its UUID or its beginning, or its identifier.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var reference: TransactionReference

    /// Its identity; whatever is not a whole UUID is looked for in all queues.
    func id(_ store: TillOperator) async throws -> UUID {
        var search = ReferenceSearch([reference])
        var all = store.transactions().makeAsyncIterator()
        while !search.isDone, let found = try await all.next() {
            try search.look(at: found.transaction)
        }
        return try search.id(reference, in: "The store")
    }
}
