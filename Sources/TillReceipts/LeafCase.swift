import FoundationEssentials

/// The leaves at hand, of which one signs: that which is valid at the receipt's date.
///
/// The dates are of a clock that may be moved, and of several stores in one process, so that they need not rise. A leaf
/// is replaced some time before its end, except where its authorities end as early.
struct LeafCase: Sendable {
    /// How many leaves are kept; the oldest goes first.
    static let maximum = 16
    /// How long before its end a leaf is replaced.
    static let renewalMargin: TimeInterval = 30 * 86_400

    private(set) var newest: SigningLeaf
    private var older: [SigningLeaf] = []
    /// Whether the log says already that no leaf is valid.
    var hasWarned = false

    init(_ leaf: SigningLeaf) {
        newest = leaf
    }

    /// The newest leaf that need not be replaced at the date.
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
