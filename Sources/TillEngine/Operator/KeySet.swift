import BitCollections

/// A set of a ledger's keys, which are dense: a million in a row take 125 KB.
struct KeySet: Sendable {
    private static let blockBits: Int64 = 12

    /// The low bits of the keys, by their high bits.
    private var blocks: [Int64: BitSet] = [:]

    /// - Returns: Whether it was not there before.
    @discardableResult
    mutating func insert(_ key: Int64) -> Bool {
        blocks[key >> Self.blockBits, default: []].insert(Self.lowBits(of: key)).inserted
    }

    mutating func remove(_ key: Int64) {
        let block = key >> Self.blockBits
        blocks[block]?.remove(Self.lowBits(of: key))
        if blocks[block]?.isEmpty == true {
            blocks[block] = nil
        }
    }

    /// Removes and returns the lowest keys of the lowest block, in order; none if the set is empty.
    mutating func removeFirst(_ count: Int) -> [Int64] {
        guard let block = blocks.keys.min(), let bits = blocks[block] else {
            return []
        }
        let keys = bits.prefix(count).map { block << Self.blockBits | Int64($0) }
        keys.forEach { remove($0) }
        return keys
    }

    private static func lowBits(of key: Int64) -> Int {
        Int(key & (1 << blockBits - 1))
    }
}
