import GRDB
import TillEngine

extension Schema {
    /// Public identifiers are keys plus a random base, so that no two ledgers issue the same ones. Identifiers that were
    /// issued before keep their plain base.
    static let version8 = """
        CREATE TABLE identifier_ranges (
            key INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
            first_key INTEGER NOT NULL CHECK (first_key >= 1),
            base INTEGER NOT NULL CHECK (base >= 0),
            UNIQUE (kind, first_key)
        ) STRICT;
        """

    /// Stores the numbering of keys that are still to be given, and the plain one of those that were given.
    static func insertNumbering(into database: Database) throws {
        let drawn = LedgerNumbering.drawn()
        for kind in NumberedKind.allCases {
            let last = try Int64.fetchOne(
                database,
                sql: "SELECT seq FROM sqlite_sequence WHERE name = ?",
                arguments: [kind.table]
            )
            var ranges = drawn[keyPath: kind.numbering].ranges
            if let last, last > 0 {
                let later =
                    last == .max
                    ? []
                    : ranges.map { range in
                        IdentifierNumbering.Range(firstKey: last + 1, base: range.base)
                    }
                ranges = LedgerNumbering.plain[keyPath: kind.numbering].ranges + later
            }
            for range in ranges {
                try database.execute(
                    sql: "INSERT INTO identifier_ranges (kind, first_key, base) VALUES (?, ?, ?)",
                    arguments: [kind.rawValue, range.firstKey, range.base]
                )
            }
        }
    }
}

/// The rows whose keys are published as identifiers.
enum NumberedKind: Int, CaseIterable {
    case transactions = 0
    /// Of an account's use of an application: the queue.
    case applications = 1

    var table: String {
        switch self {
        case .transactions: "transactions"
        case .applications: "queues"
        }
    }

    var numbering: KeyPath<LedgerNumbering, IdentifierNumbering> {
        switch self {
        case .transactions: \.transactions
        case .applications: \.applications
        }
    }
}
