import Synchronization

/// The highest key that this process gave to a transaction, so that none is given twice, not even when the first was
/// rolled back.
final class HighestKey: Sendable {
    private let key = Mutex<Int64>(0)

    var value: Int64 {
        key.withLock { $0 }
    }

    func raise(to newKey: Int64) {
        key.withLock { $0 = max($0, newKey) }
    }
}
