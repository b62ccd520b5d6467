package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillEngine
import TillModel

extension SQLTransaction {
    /// The numberings of the ledger's identifiers.
    ///
    /// - Throws: `dataLoss` when their rows are damaged.
    package func numbering() throws -> LedgerNumbering {
        LedgerNumbering(transactions: try numbering(of: .transactions), applications: try numbering(of: .applications))
    }

    /// The timeline that the ledger began when it was restored; nil if it never was.
    package func timelineID() throws -> UUID? {
        let sql = "SELECT value FROM settings WHERE name = ?1"
        let found = try rows(of: "settings", sql, [SQLValue(LedgerTimeline.settingName)]) { try $0.text() }
        guard let text = found.first else {
            return nil
        }
        guard let id = UUID(uuidString: text) else {
            throw TillError(.dataLoss, "The ledger's timeline is damaged. Restore the ledger from a backup.")
        }
        return id
    }

    private func numbering(of kind: NumberedKind) throws -> IdentifierNumbering {
        let ranges = try rows(
            of: "identifier_ranges",
            "SELECT key, first_key, base FROM identifier_ranges WHERE kind = ?1 ORDER BY first_key",
            [SQLValue(kind.rawValue)]
        ) { columns in
            _ = try columns.integer()
            return IdentifierNumbering.Range(firstKey: try columns.integer(), base: try columns.integer())
        }
        guard let numbering = IdentifierNumbering(ranges: ranges) else {
            throw TillError(
                .dataLoss,
                "The ledger's table identifier_ranges does not number the \(kind). Restore the ledger from a backup."
            )
        }
        return numbering
    }
}

/// The highest key that a transaction was given, so that no key is given twice, not even after a rollback.
package final class HighestKey: Sendable {
    /// Nil until it was read from the ledger.
    private let key = NIOLockedValueBox<Int64?>(nil)

    package init() {}

    var isKnown: Bool {
        key.withLockedValue { $0 != nil }
    }

    /// Notes the highest key that the ledger has seen, if none is known.
    func note(_ stored: Int64) {
        key.withLockedValue { $0 = $0 ?? stored }
    }

    /// Has the key read from the ledger again.
    func forget() {
        key.withLockedValue { $0 = nil }
    }

    /// The next key.
    ///
    /// - Parameter stored: Gives the highest key that the ledger has seen; called if that is not known.
    func next(after stored: () throws -> Int64) throws -> Int64 {
        try key.withLockedValue { key in
            let highest = try key ?? stored()
            guard highest < Int64.max else {
                throw TillError(.dataLoss, "The ledger has a transaction with the highest key that there is.")
            }
            key = highest + 1
            return highest + 1
        }
    }
}

/// The rows whose keys are published as identifiers.
package enum NumberedKind: Int, CaseIterable {
    case transactions = 0
    /// Of an account's use of an application: the queue.
    case applications = 1

    package var table: String {
        switch self {
        case .transactions: "transactions"
        case .applications: "queues"
        }
    }

    /// The bases of ranges.
    package var bases: Range<Int64> {
        switch self {
        case .transactions: LedgerNumbering.transactionBases
        case .applications: LedgerNumbering.applicationBases
        }
    }

    package var numbering: KeyPath<LedgerNumbering, IdentifierNumbering> {
        switch self {
        case .transactions: \.transactions
        case .applications: \.applications
        }
    }
}
