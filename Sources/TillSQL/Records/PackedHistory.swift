package import TillEngine
import TillModel

/// The history of a transaction as its row stores it: entries one after the other, the oldest first. New entries are
/// appended without reading the others.
package struct PackedHistory {
    /// The tag of each entry.
    private static let entry = 1
    /// What an entry takes at least, with its tag, its length, its kind, its date and an empty text.
    private static let entryMinimumBytes = 8

    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Appends an entry, and drops all but the newest `count` of its kind.
    package mutating func append(_ entry: HistoryRecord, keeping count: Int) throws {
        var writer = FieldWriter(appendingTo: bytes)
        _ = try writer.nestedIfPresent(Self.entry, entry) { try HistoryRecord(&$0, of: entry.transactionKey, $1) }
        bytes = writer.bytes
        try drop(entry.kind, keeping: max(0, count))
    }

    func entries(ofTransaction key: Int64) throws -> [HistoryRecord] {
        var reader = FieldReader(bytes)
        var entries: [HistoryRecord] = []
        while let entry = try reader.nestedIfPresent(
            Self.entry,
            nil,
            { try HistoryRecord(&$0, of: key, $1) }
        ) {
            entries.append(entry)
        }
        return entries
    }

    private mutating func drop(_ kind: HistoryRecord.Kind, keeping count: Int) throws {
        guard bytes.count / Self.entryMinimumBytes > count else {
            return
        }
        let ofKind = try ranges().filter { $0.kind == kind.rawValue }
        guard ofKind.count > count else {
            return
        }
        for dropped in ofKind.prefix(ofKind.count - count).reversed() {
            bytes.removeSubrange(dropped.range)
        }
    }

    /// Where each entry is, with its kind, which is its first field.
    private func ranges() throws -> [(range: Range<Int>, kind: Int)] {
        var reader = FieldReader(bytes)
        var ranges: [(range: Range<Int>, kind: Int)] = []
        while let value = try reader.counted(Self.entry) {
            var entry = FieldReader(bytes, value)
            let kind = try entry.int(HistoryRecord.kindTag, nil)
            ranges.append(((ranges.last?.range.upperBound ?? 0)..<value.upperBound, kind))
        }
        return ranges
    }
}

extension HistoryRecord {
    fileprivate static let kindTag = 1

    fileprivate init(_ coder: inout some FieldCoder, of transaction: Int64, _ value: Self?) throws {
        let kind: Kind = try coder.choice(Self.kindTag, value?.kind)
        let date = try coder.date(2, value?.date)
        // Most entries are the daemon's own.
        let actor = try coder.textIfPresent(3, value?.actor.unlessSameBytes(as: Self.daemon))
        self.init(
            transactionKey: transaction,
            date: date,
            kind: kind,
            actor: actor ?? Self.daemon,
            detail: try coder.text(4, value?.detail)
        )
    }
}
