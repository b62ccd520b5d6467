import NIOConcurrencyHelpers

/// The highest key that this process gave to a transaction, so that none is given twice, not even when the first was
/// rolled back.
final class HighestKey: Sendable {
    private let key = NIOLockedValueBox<Int64>(0)

    var value: Int64 {
        key.withLockedValue { $0 }
    }

    func raise(to newKey: Int64) {
        key.withLockedValue { $0 = max($0, newKey) }
    }
}
