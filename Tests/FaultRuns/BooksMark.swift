import TillEngine
import TillInvariants

/// How far the books had come when they were checked last, so that a long run can be checked part by part.
package struct BooksMark: Sendable {
    /// The key of the last charge in the ledger.
    package private(set) var charge: Int64 = 0
    /// The provider's record only grows at its end.
    package private(set) var providerCharges = 0

    package init() {}

    /// Steps over what `books` hold, which begin at this mark.
    mutating func advance(over books: Books) {
        charge = books.charges.last?.key ?? charge
        providerCharges += books.provider.count
    }
}
