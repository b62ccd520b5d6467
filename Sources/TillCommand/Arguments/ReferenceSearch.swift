import FoundationEssentials
import TillModel

/// Finds the transactions that references name, in a list that passes by once.
struct ReferenceSearch {
    private let references: [TransactionReference]
    /// What each reference was found to be; a whole UUID needs no search.
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

    /// Whether the rest of the list cannot change the result: a prefix is unique only in all of it.
    var isDone: Bool {
        references.allSatisfy { reference in
            if case .prefix = reference { false } else { found[reference] != nil }
        }
    }

    mutating func look(at transaction: Transaction) throws(TillError) {
        for reference in references where Self.names(reference, transaction) {
            if let other = found[reference], other != transaction.id {
                throw TillError(
                    .invalidArgument,
                    "\(reference) names more than one transaction, \(other.text) and \(transaction.id.text); give more of it."
                )
            }
            found[reference] = transaction.id
        }
    }

    /// The identity of one of the references.
    ///
    /// - Parameter place: Where it was looked for, for the error.
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
