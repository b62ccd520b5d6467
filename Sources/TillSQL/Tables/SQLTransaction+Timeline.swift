import FoundationEssentials
import TillEngine
import TillModel

extension SQLTransaction {
    /// Begins a timeline of a ledger that lacks its last changes, because it was restored from an older copy.
    ///
    /// Clients may have seen changes that the copy does not have: their cursors are not valid in the new timeline, and
    /// transactions that are added to it get identifiers that the old one never issued.
    package func beginTimeline() throws {
        try setSetting(LedgerTimeline.settingName, to: UUID.version7().uuidString)
        let numbering = try numbering()
        let drawn = LedgerNumbering.drawn()
        for kind in NumberedKind.allCases {
            let next = try rows(of: kind.table, "SELECT 1 + coalesce(max(key), 0) FROM \(kind.table)", []) { columns in
                try columns.integer()
            }
            let present = numbering[keyPath: kind.numbering].ranges.last?.base ?? 0
            let base = Self.base(after: present, within: kind.bases) ?? drawn[keyPath: kind.numbering].ranges[0].base
            try run(
                """
                INSERT INTO identifier_ranges (kind, first_key, base) VALUES (?1, ?2, ?3)
                ON CONFLICT (kind, first_key) DO UPDATE SET base = ?3
                """,
                [SQLValue(kind.rawValue), .integer(next.first ?? 1), .integer(base)]
            )
        }
    }

    /// How far the next range lies above the present one: further than a ledger ever gets, and at random, so that two
    /// restores of the same copy issue different identifiers.
    private static let distances: Range<Int64> = 1 << 40..<1 << 44

    /// A base above the present one, so that identifiers still increase; nil if there is no space above it.
    private static func base(after base: Int64, within bases: Range<Int64>) -> Int64? {
        bases.contains(base) && base < bases.upperBound - distances.upperBound ? base + .random(in: distances) : nil
    }
}
