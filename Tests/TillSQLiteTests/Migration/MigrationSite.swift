import FoundationEssentials
import GRDB
import ProcessTesting
import Testing
import TillAudit
import TillEngine
import TillModel

@testable import TillPostgres
@testable import TillSQL
@testable import TillSQLite

/// A ledger in a file with rows in every table, and a schema of a database without a ledger.
struct MigrationSite {
    /// More than a migration reads at once.
    static let transactionCount = 2 * TableRows.page + 3

    let path: String
    let address: PostgresAddress
    let schema: String

    static func with(_ body: (MigrationSite) async throws -> Void) async throws {
        let address = try PostgresAddress(PostgresCluster.shared.get().address)
        try await withTemporaryDirectory { directory in
            let site = MigrationSite(
                path: directory + "/ledger",
                address: address,
                schema: "migrated \(UUID.version7().text)"
            )
            let ledger = try site.openedFile()
            try await ledger.fillAllTables()
            try await ledger.close()
            try await body(site)
            try site.session().execute("DROP SCHEMA IF EXISTS \"\(site.schema)\" CASCADE")
        }
    }

    var file: SQLiteMigrationPlace {
        SQLiteMigrationPlace(path: path, name: "/state")
    }

    func database() throws -> PostgresMigrationPlace {
        try PostgresMigrationPlace(address, schema: schema)
    }

    func openedFile() throws -> SQLiteLedger {
        try SQLiteLedger(path: path, logger: .silent)
    }

    func openedDatabase(for use: LedgerUse = .alone) throws -> PostgresLedger {
        try PostgresLedger(address: address.text, schema: schema, use: use, logger: .silent)
    }

    func session() throws -> PostgresConnection {
        try PostgresConnection(to: address.text, schema: schema)
    }

    @discardableResult
    func moveToDatabase() throws -> LedgerMigration.Outcome {
        try LedgerMigration(from: file, to: database()) { _ in }.run()
    }

    @discardableResult
    func moveToFile() throws -> LedgerMigration.Outcome {
        try LedgerMigration(from: database(), to: file) { _ in }.run()
    }

}

extension MigrationPlace {
    /// The digests of all tables of a ledger that is not marked.
    func digests() throws -> [TableDigest] {
        try read { connection in
            try connection.ledgerTables().map {
                try TableDigest(of: TableRows(table: $0, connection: connection)) { _ in }
            }
        }
    }
}

extension SQLiteLedger {
    /// Stores rows in every table, with a value in every column that can have one.
    func fillAllTables(transactionCount: Int = MigrationSite.transactionCount) async throws {
        try await commit { writer in
            let queue = try writer.createQueue(someQueue).key
            var original = TransactionRecord.sample(queue, revision: 1)
            original.key = try writer.insert(original)
            let subscription = try writer.insert(SubscriptionRecord.whole(original, "caf\u{E9}"))
            var whole = TransactionRecord.whole(queue, subscription: subscription)
            whole.key = try writer.insert(whole)
            _ = try writer.insert(ChargeRecord.sample(queue, whole.key))
            _ = try writer.insert(ChargeRecord.sample(queue, nil, subscription: subscription))
            _ = try writer.insert(DownloadRecord.whole(whole))
            try writer.insert(RefundRecord.sample(whole))
            let restore = RestoreRecord.sample(queue, username: "\u{10FFFF}")
            try writer.insert(restore)
            try writer.insert(joined: .version7(), to: restore.id)
            let kinds: [EventRecord.Kind] = [
                .restoreFinished(id: .version7(), count: .max), .restoreFailed(id: .version7(), error: .whole("text")),
                .storePaymentRequested(.whole("")), .storefrontChanged(Storefront(countryCode: "DEU", identifier: "1")),
            ]
            for (revision, kind) in zip(UInt64(2)..., kinds) {
                try writer.insert(EventRecord(queue: queue, revision: revision, kind: kind))
            }
            try writer.setSetting("a", to: "")
            try writer.setSetting("\u{E9}", to: "e\u{301}")
            for revision in 6..<UInt64(transactionCount + 4) {
                // These have marks, whose keys are of several columns.
                _ = try writer.insert(
                    .sample(queue, revision: revision, product: "\(revision)", state: .purchased, isEntitlement: true)
                )
            }
            try writer.append(AuditLink.first)
        }
    }
}

extension AuditLink {
    /// The first link of an intact chain.
    static var first: AuditLink {
        var link = blank
        link.action = "Refund"
        link.previousHash = AuditHead.start.hash
        link.hash = AuditChain.hash(of: link)
        return link
    }
}
