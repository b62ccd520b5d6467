package import FoundationEssentials
import GRDB
import TillEngine
import TillModel
import TillSQL

extension SQLiteLedger {
    /// Begins a timeline of a ledger that was restored from a backup and that no process uses. An older schema is brought
    /// up to the newest.
    ///
    /// Clients may have seen changes that the backup does not have: their cursors are not valid in the new timeline, and
    /// transactions that are added to it get identifiers that the old one never issued.
    ///
    /// - Returns: The ledger's identity.
    package static func beginTimeline(path: String) throws -> UUID {
        let file = LedgerFile(path: path)
        let id = try file.inspect()
        let pool = try file.openForWriting()
        try file.explained {
            try pool.write(file.beginTimeline)
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
        return id
    }
}

extension LedgerFile {
    fileprivate func beginTimeline(_ database: Database) throws {
        let rows = SQLTransaction(database: database)
        try rows.setSetting(LedgerTimeline.settingName, to: UUID.version7().uuidString)
        let numbering = try rows.numbering()
        let drawn = LedgerNumbering.drawn()
        for kind in NumberedKind.allCases {
            let next = try Int64.fetchOne(database, sql: "SELECT 1 + coalesce(max(key), 0) FROM \(kind.table)") ?? 1
            let present = numbering[keyPath: kind.numbering].ranges.last?.base ?? 0
            try database.execute(
                sql: """
                    INSERT INTO identifier_ranges (kind, first_key, base) VALUES (?1, ?2, ?3)
                    ON CONFLICT (kind, first_key) DO UPDATE SET base = ?3
                    """,
                arguments: [
                    kind.rawValue, next,
                    Self.base(after: present, within: kind.bases) ?? drawn[keyPath: kind.numbering].ranges[0].base,
                ]
            )
        }
        try database.execute(sql: "UPDATE meta SET clean = 1")
    }

    /// How far the next range lies above the present one: further than a ledger ever gets, and at random, so that two
    /// restores of the same backup issue different identifiers.
    private static let distances: Range<Int64> = 1 << 40..<1 << 44

    /// A base above the present one, so that identifiers still increase; nil if there is no space above it.
    private static func base(after base: Int64, within bases: Range<Int64>) -> Int64? {
        bases.contains(base) && base < bases.upperBound - distances.upperBound ? base + .random(in: distances) : nil
    }
}
