import GRDB
import Testing
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

@Suite("Tables whose rows are described once")
struct TableTests {
    private static let described: [String: String] = [
        QueueRecord.table.name: QueueRecord.table.columns,
        EventRecord.table.name: EventRecord.table.columns,
        SubscriptionRecord.table.name: SubscriptionRecord.table.columns,
        RestoreRecord.table.name: RestoreRecord.table.columns,
        RefundRecord.table.name: RefundRecord.table.columns,
        DownloadRecord.table.name: DownloadRecord.table.columns,
        ChargeRecord.table.name: ChargeRecord.table.columns,
        AuditLink.table.name: AuditLink.table.columns,
    ]

    /// Columns that SQLite alone writes: the keys of rows that have an identity of their own.
    private static let undescribed: [String: Set<String>] = ["refunds": ["key"], "restores": ["key"]]

    @Test(arguments: described.keys.sorted())
    func everyColumnIsDescribed(_ table: String) async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
            let columns = try await ledger.connections.read { try $0.columns(in: table).map(\.name) }
            let names = try #require(Self.described[table]).split(separator: ", ").map(String.init)
            #expect(Set(names).count == names.count, "a column is described twice")
            #expect(Set(names).union(Self.undescribed[table] ?? []) == Set(columns))
            try await ledger.close()
        }
    }

    @Test func anUpdateLeavesWhatNeverChanges() {
        #expect(
            RefundRecord.table.update
                == "UPDATE refunds SET quantity = ?2, state = ?3, attempts = ?4, due_at = ?5, reference = ?6 WHERE id = ?1"
        )
    }
}
