import FoundationEssentials
import Testing
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

@Suite("Columns and marks of the SQLite ledger that disagree with their rows")
struct SQLiteDisagreementTests {
    /// A change of one row, and the part that the finding names.
    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var finding: String

        init(_ sql: String, _ finding: String) {
            testDescription = sql
            self.finding = finding
        }
    }

    static let changes =
        [
            "place = 0", "charge_state = NULL", "charge_state = 3", "charge_due_at = charge_due_at + 1",
            "charge_due_at = NULL",
        ].map {
            Change(
                "UPDATE transactions SET \($0) WHERE key = 1",
                "row 1 of the table transactions disagrees with its columns"
            )
        }
        + [
            Change(
                "UPDATE transactions SET queue = 7 WHERE key = 2",
                "row 2 of the table transactions disagrees with its queue, which is not there"
            ),
            Change(
                "DELETE FROM marks WHERE kind = 1",
                "row 2 of the table transactions disagrees with its marks"
            ),
            Change(
                "UPDATE marks SET name = 'other' WHERE kind = 1",
                "row 2 of the table transactions disagrees with its marks"
            ),
            Change(
                "UPDATE marks SET key = 1 WHERE kind = 2",
                "row 2 of the table transactions disagrees with its marks"
            ),
            Change(
                "INSERT INTO marks (kind, owner, name, key) VALUES (9, 0, '', 1)",
                "the table marks has rows of transactions that do not have these marks"
            ),
        ]

    @Test(arguments: changes)
    func aChangeIsFound(_ change: Change) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            try await Self.makeLedger(path)
            #expect(try LedgerFileCheck(path: path).findings == [])
            try edit(path, change.testDescription)
            let findings = try LedgerFileCheck(path: path).findings
            #expect(findings == ["The ledger \(path) is damaged: \(change.finding)."])
        }
    }

    /// A payment that waits for a person with an open charge, and an owned purchase.
    private static func makeLedger(_ path: String) async throws {
        let ledger = try SQLiteLedger(path: path, logger: .silent)
        try await ledger.commit { writer in
            let queue = try writer.createQueue(someQueue).key
            let waiting = TransactionRecord.sample(
                queue,
                revision: 1,
                type: .consumable,
                blocker: .approval,
                deadline: time(9)
            )
            let key = try writer.insert(waiting)
            var charge = ChargeRecord.sample(queue, key)
            charge.exclusiveGroup = nil
            _ = try writer.insert(charge)
            _ = try writer.insert(
                .sample(queue, revision: 2, state: .purchased, finishedAt: time(3), isEntitlement: true)
            )
        }
        try await ledger.close()
    }
}
