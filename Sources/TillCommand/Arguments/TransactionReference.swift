import ArgumentParser
import FoundationEssentials
import TillClient
import TillModel

/// The name of a transaction in an argument.
enum TransactionReference: ArgumentText, Hashable, Sendable {
    case id(UUID)
    /// A `transactionIdentifier`: decimal digits without a leading zero.
    case identifier(String)
    /// The beginning of a UUID, which must be unique in the searched list.
    case prefix(IdentityPrefix)

    static let rule = "use a UUID, at least its first four digits, or a transaction identifier"

    init?(argument: String) {
        if let id = UUID(uuidString: argument) {
            self = .id(id)
        } else if Self.isNumber(argument) {
            self = .identifier(argument)
        } else if let prefix = IdentityPrefix(argument: argument) {
            self = .prefix(prefix)
        } else {
            return nil
        }
    }

    /// UUIDs of version 7 begin with a zero, and identifiers do not.
    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.first != "0" && text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }
}

extension TransactionReference: CustomStringConvertible {
    /// The argument as it was written.
    var description: String {
        switch self {
        case .id(let id): id.uuidString.lowercased()
        case .identifier(let identifier): identifier
        case .prefix(let prefix): prefix.text
        }
    }
}

/// A search for referenced transactions in one pass over a list.
struct ReferenceSearch {
    private let references: [TransactionReference]
    /// The identity of each resolved reference. A complete UUID needs no search.
    private var found: [TransactionReference: UUID]

    init(_ references: [TransactionReference]) {
        self.references = references
        let known = references.compactMap { reference -> (TransactionReference, UUID)? in
            guard case .id(let id) = reference else {
                return nil
            }
            return (reference, id)
        }
        found = Dictionary(known) { first, _ in first }
    }

    /// Whether the rest of the list cannot change the result. A prefix has to be unique in the whole list.
    var isDone: Bool {
        references.allSatisfy { reference in
            if case .prefix = reference { false } else { found[reference] != nil }
        }
    }

    mutating func look(at transaction: Transaction) throws(TillError) {
        for reference in references where Self.names(reference, transaction) {
            if let other = found[reference], other != transaction.id {
                throw .ambiguous("transaction", "\(reference)", other, transaction.id)
            }
            found[reference] = transaction.id
        }
    }

    /// The identity of one of the references.
    ///
    /// - Parameter place: The searched place, for the error.
    func id(_ reference: TransactionReference, in place: String) throws(TillError) -> UUID {
        guard let id = found[reference] else {
            throw TillError(.notFound, "\(place) has no transaction \(reference).")
        }
        return id
    }

    private static func names(_ reference: TransactionReference, _ transaction: Transaction) -> Bool {
        switch reference {
        case .id: false
        case .identifier(let identifier): transaction.purchase?.transactionIdentifier == identifier
        case .prefix(let prefix): prefix.matches(transaction.id)
        }
    }
}

extension [TransactionReference] {
    /// The identities of the transactions, in the given order.
    ///
    /// - Throws: `notFound` if the list lacks one of them.
    func ids(inQueue list: some AsyncSequence<Transaction, TillError>) async throws -> [UUID] {
        var search = ReferenceSearch(self)
        var transactions = list.makeAsyncIterator()
        while !search.isDone, let transaction = try await transactions.next(isolation: #isolation) {
            try search.look(at: transaction)
        }
        return try map { try search.id($0, in: "The queue") }
    }
}

/// The transaction of an operator's verb, which may be in any queue.
struct TransactionArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A transaction's UUID, UUID prefix, or identifier.", valueName: "id"),
        transform: TransactionReference.parse
    )
    var reference: TransactionReference

    /// The identity of the transaction. Unless the argument is a complete UUID, all queues are searched.
    func id(_ store: TillOperator) async throws -> UUID {
        var search = ReferenceSearch([reference])
        var all = store.transactions().makeAsyncIterator()
        while !search.isDone, let found = try await all.next() {
            try search.look(at: found.transaction)
        }
        return try search.id(reference, in: "The store")
    }
}
