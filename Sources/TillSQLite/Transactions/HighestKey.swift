import NIOConcurrencyHelpers
import TillModel

/// The highest key that was given to a transaction, so that none is given twice, not even when the first was rolled
/// back.
final class HighestKey: Sendable {
    /// Nil until the ledger was asked.
    private let key = NIOLockedValueBox<Int64?>(nil)

    /// The next key.
    ///
    /// - Parameter stored: Gives the highest key that the ledger has seen; called for the first key of the process.
    func next(after stored: () throws -> Int64) throws -> Int64 {
        try key.withLockedValue { key in
            let highest = try key ?? stored()
            guard highest < Int64.max else {
                throw TillError(.dataLoss, "The ledger has a transaction with the highest key that there is.")
            }
            key = highest + 1
            return highest + 1
        }
    }
}
