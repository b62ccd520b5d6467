import NIOConcurrencyHelpers

/// Counts the bytes that the peers of all connections have not read yet, answers that wait for room included.
final class OutboundTotal: Sendable {
    /// What each connection may have unread even when all together have too much.
    let share: Int

    private let bytesMaximum: Int
    private let bytes = NIOLockedValueBox(0)

    init(bytesMaximum: Int, share: Int) {
        self.bytesMaximum = bytesMaximum
        self.share = share
    }

    /// Whether all together have as much as they may.
    var isFull: Bool {
        bytes.withLockedValue { $0 >= bytesMaximum }
    }

    /// Counts an answer that waits for room; false when all together have as much as they may.
    func hold(_ count: Int) -> Bool {
        bytes.withLockedValue { bytes in
            guard bytes < bytesMaximum else { return false }
            bytes += count
            return true
        }
    }

    func add(_ count: Int) {
        bytes.withLockedValue { $0 += count }
    }
}
