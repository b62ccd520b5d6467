import FoundationEssentials

/// The available leaves. A receipt is signed by a leaf that is valid at the receipt's date.
///
/// The dates come from adjustable clocks, possibly of several stores in one process, so they may decrease. A leaf is
/// replaced some time before it expires, unless its authorities expire as early.
struct LeafCase: Sendable {
    /// The maximum number of leaves; the oldest is evicted first.
    static let maximum = 16
    /// How long before its expiration a leaf is replaced.
    static let renewalMargin: TimeInterval = 30 * 86_400

    private(set) var newest: SigningLeaf
    private var older: [SigningLeaf] = []
    /// Whether it was already logged that no leaf is valid.
    var hasWarned = false

    init(_ leaf: SigningLeaf) {
        newest = leaf
    }

    /// The newest leaf that does not need to be replaced at the date.
    func fresh(at date: Date, chainEnd: Date) -> SigningLeaf? {
        leaf { leaf in
            let end = leaf.validity.upperBound
            return leaf.validity.contains(date)
                && (end >= chainEnd || date < end.addingTimeInterval(-Self.renewalMargin))
        }
    }

    /// The newest leaf that is valid at the date.
    func valid(at date: Date) -> SigningLeaf? {
        leaf { $0.validity.contains(date) }
    }

    mutating func add(_ leaf: SigningLeaf) {
        older.append(newest)
        older.removeFirst(max(0, older.count + 1 - Self.maximum))
        newest = leaf
    }

    private func leaf(where isWanted: (SigningLeaf) -> Bool) -> SigningLeaf? {
        isWanted(newest) ? newest : older.last(where: isWanted)
    }
}
