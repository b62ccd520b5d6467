import TillEngine
import TillInvariants

/// The position of the books at the last check, so that a long run can be checked part by part.
package struct BooksMark: Sendable {
    /// The key of the last charge in the ledger.
    package private(set) var charge: Int64 = 0
    /// The number of charges in the provider's record, which only grows at its end.
    package private(set) var providerCharges = 0

    package init() {}

    /// Advances over `books`, which begin at this mark.
    mutating func advance(over books: Books) {
        charge = books.charges.last?.key ?? charge
        providerCharges += books.provider.count
    }
}
