import FoundationEssentials
import TillModel

extension [TransactionReference] {
    /// The identities of the transactions, in the order given; an error when one of them is not in the list.
    func ids(inQueue list: some AsyncSequence<Transaction, TillError>) async throws -> [UUID] {
        var search = ReferenceSearch(self)
        var transactions = list.makeAsyncIterator()
        while !search.isDone, let transaction = try await transactions.next(isolation: #isolation) {
            try search.look(at: transaction)
        }
        return try map { try search.id($0, in: "The queue") }
    }
}
