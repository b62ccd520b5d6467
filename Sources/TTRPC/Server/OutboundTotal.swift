import NIOConcurrencyHelpers

/// Counts the bytes that the peers of all connections have not read yet, including answers that wait for the outbound
/// budget.
final class OutboundTotal: Sendable {
    /// The unread bytes that each connection may always have, even when the total is exceeded.
    let share: Int

    private let bytesMaximum: Int
    private let bytes = NIOLockedValueBox(0)

    init(bytesMaximum: Int, share: Int) {
        self.bytesMaximum = bytesMaximum
        self.share = share
    }

    /// Whether the total has been reached.
    var isFull: Bool {
        bytes.withLockedValue { $0 >= bytesMaximum }
    }

    /// Counts a waiting answer. Returns false, without counting it, if the total has been reached.
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
