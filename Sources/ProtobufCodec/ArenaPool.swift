import Synchronization

/// The memory that all arenas of a pool may take together, beside each one's first chunk.
final class ArenaPool: Sendable {
    /// That of all messages from outside.
    static let decoding = ArenaPool(bytesMaximum: DecodingLimits.arenaBytesInAllMaximum)

    private let bytesMaximum: Int
    private let bytes = Atomic(0)

    init(bytesMaximum: Int) {
        self.bytesMaximum = bytesMaximum
    }

    /// What is taken.
    var bytesTaken: Int {
        bytes.load(ordering: .relaxed)
    }

    /// Takes so many bytes; false when there are not as many left.
    func take(_ count: Int) -> Bool {
        guard bytes.add(count, ordering: .relaxed).newValue <= bytesMaximum else {
            giveBack(count)
            return false
        }
        return true
    }

    func giveBack(_ count: Int) {
        bytes.subtract(count, ordering: .relaxed)
    }
}
