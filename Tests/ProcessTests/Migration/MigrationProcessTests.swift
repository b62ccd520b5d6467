import FaultRuns
import Foundation
import Glibc
import ProcessTesting
import Testing
import TillClient

/// `tilld migrate` between daemons with a ledger in a file and daemons with one in PostgreSQL.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PostgresCluster.isInstalled, "Debian's package postgresql-15 is not installed")
)
struct MigrationProcessTests {
    /// One observer sees each purchase once while the ledger moves there and back.
    @Test func aClientContinuesWhereItWas() async throws {
        try await MigrationSite.with { migration in
            let site = migration.site
            let first = try await site.startServingDaemon()
            let queue = site.queue()
            var changes = queue.changes.makeAsyncIterator()
            #expect(try await Self.updates(&changes, until: .initialDeliveryEnded) == [])
            var bought = [try await queue.purchase(Payment(productID: TestStore.coins))]
            #expect(try await Self.purchase(&changes) == bought[0].id)
            try await site.stop(first)

            let there = try await migration.moved(from: site.state, to: migration.database)
            let second = try await site.startServingDaemon(migration.ledgerOptions)
            #expect(try await Self.updates(&changes, until: .connection(.connected)) == [])
            bought.append(try await queue.purchase(Payment(productID: TestStore.pro)))
            #expect(try await Self.purchase(&changes) == bought[1].id, "an older change was delivered again")
            let ledger = try await queue.status().ledgerID
            #expect(ledger.uuidString.lowercased() == there.ledger_id)
            try await site.stop(second)

            let back = try await migration.moved(from: migration.database, to: site.state)
            #expect(back.tables["transactions"]?.rows == 2 && there.tables["transactions"]?.rows == 1)
            let third = try await site.startServingDaemon()
            #expect(try await Self.updates(&changes, until: .connection(.connected)) == [])
            bought.append(try await queue.purchase(Payment(productID: TestStore.coins)))
            #expect(try await Self.purchase(&changes) == bought[2].id)
            let kept = try await queue.allTransactions.reduce(into: [:]) { $0[$1.id] = $1.receipt }
            #expect(kept == Dictionary(uniqueKeysWithValues: bought.map { ($0.id, $0.receipt) }))
            await queue.close()
            try await site.stop(third)
        }
    }

    @Test func receiptsAndBooksStayValid() async throws {
        try await MigrationSite.with { migration in
            let site = migration.site
            let first = try await site.startServingDaemon()
            let queue = site.queue()
            let bought = try await queue.purchase(Payment(productID: TestStore.coins))
            let receipt = try #require(bought.receipt)
            try Data(receipt.utf8).write(to: URL(filePath: site.path("receipt")))
            await queue.close()
            let store = site.store()
            try await store.changeSettings(["ask-to-buy": "false"], because: "A test.")
            await store.close()
            try await site.stop(first)
            #expect(try await migration.moved(from: site.state, to: migration.database).audit_entries == 1)
            let second = try await site.startServingDaemon(migration.ledgerOptions)
            let root = "\(site.state)/receipts/root.pem"
            let verified = try await site.till(["receipt", "verify", site.path("receipt"), "--root", root])
            #expect(verified.exit == .status(0), "\(verified.lines)")
            let books = try await site.till(["reconcile", "--application", Site.application])
            #expect(books.lines.contains("The ledger and the provider agree: 1 charge compared."), "\(books.lines)")
            try await site.stop(second)
            _ = try await migration.moved(from: migration.database, to: site.state)
            let (exit, lines) = try await site.examine("check", site.state)
            #expect(exit == .status(0), "\(lines)")
            #expect(lines.contains("receipts: 1 receipts read, no damage"), "\(lines)")
            #expect(lines.contains("audit: 1 entries read, no damage"), "\(lines)")
        }
    }

    @Test func aDaemonAtEitherPlaceIsInTheWay() async throws {
        try await MigrationSite.with { migration in
            let site = migration.site
            let daemon = try await site.startServingDaemon()
            let (exit, lines) = try await migration.migrate(from: site.state, to: migration.database)
            #expect(exit == .status(EX_CANTCREAT))
            #expect(lines.first?.contains("is in use by process \(daemon.processID)") == true, "\(lines)")
            try await site.stop(daemon)

            let other = try site.startDaemon(migration.ledgerOptions, state: site.path("other"))
            try await site.waitUntilServing()
            let (second, words) = try await migration.migrate(from: site.state, to: migration.database)
            #expect(second == .status(EX_CANTCREAT))
            #expect(words.first?.contains("Another daemon uses the ledger") == true, "\(words)")
            try await site.stop(other)
            // That daemon has made a ledger of its own.
            let (third, sentence) = try await migration.migrate(from: site.state, to: migration.database)
            #expect(third == .status(EX_CANTCREAT))
            #expect(
                sentence.first?.contains("There is a ledger in \(migration.database) already") == true,
                "\(sentence)"
            )
        }
    }

    @Test func aLedgerThatWasMovedIsUsedOnlyWhereItIs() async throws {
        try await MigrationSite.with { migration in
            let site = migration.site
            try await site.makeLedger()
            _ = try await migration.moved(from: site.state, to: migration.database)
            try await migration.expectRefusal([], "was moved to \(migration.database)")
            for command in ["check", "reconcile"] {
                let (exit, lines) = try await site.examine(command, site.state)
                #expect(exit == .status(EX_CANTCREAT) && lines.first?.contains("was moved to") == true, "\(lines)")
            }
            // A database with another ledger.
            let other = try PostgresCluster()
            defer { try? other.stop() }
            try await migration.expectRefusal(["--ledger", other.address], "and --ledger names another one")
            let (exit, lines) = try await migration.migrate(from: site.state, to: migration.database)
            #expect(exit == .status(EX_CANTCREAT) && lines.first?.contains("was moved to") == true, "\(lines)")
            _ = try await migration.moved(from: migration.database, to: site.state)
            try await migration.expectRefusal(
                migration.ledgerOptions,
                state: site.path("another"),
                "was moved to \(site.state)"
            )
            try await site.stop(try await site.startServingDaemon())
        }
    }

    @Test(arguments: [
        (["a", "b"], EX_DATAERR, "name one of each"),
        (["postgresql:///a", "postgresql:///b"], EX_DATAERR, "name one of each"),
        (["a", "postgresql://u:secret@/b"], EX_DATAERR, "Leave the password out"),
        (["nothing", "postgresql:///b"], EX_CANTCREAT, "There is no ledger in nothing"),
    ])
    func wrongPlacesAreRefused(_ places: [String], _ status: Int32, _ words: String) async throws {
        try await Site.with { site in
            let arguments = ["migrate", "--from", places[0], "--to", places[1]]
            let (exit, lines) = try await site.result(of: Binaries.daemon, arguments)
            #expect(exit == .status(status))
            #expect(lines.first?.contains(words) == true, "\(lines)")
        }
    }

    @Test func aDatabaseThatCannotBeReachedIsTriedOnce() async throws {
        try await Site.with { site in
            try await site.makeLedger()
            let address = "postgresql:///till?host=\(site.path("nowhere"))"
            let arguments = ["migrate", "--from", site.state, "--to", address]
            let (exit, lines) = try await site.result(of: Binaries.daemon, arguments)
            #expect(exit == .status(EX_TEMPFAIL) && lines.first?.contains("cannot be reached") == true, "\(lines)")
            try await site.stop(try await site.startServingDaemon())
        }
    }

    /// The next transaction that the observer is told of.
    private static func purchase(_ changes: inout Changes.AsyncIterator) async throws -> UUID? {
        while let change = try await changes.next() {
            if case .updated(let transactions) = change, let last = transactions.last, last.state == .purchased {
                return last.id
            }
        }
        return nil
    }

    /// The transactions that the observer is told of before the change.
    private static func updates(_ changes: inout Changes.AsyncIterator, until last: Change) async throws -> [UUID] {
        var found: [UUID] = []
        while let change = try await changes.next(), change != last {
            if case .updated(let transactions) = change {
                found += transactions.map(\.id)
            }
            #expect(change != .initialDeliveryEnded, "the observer had to begin again")
        }
        return found
    }
}
