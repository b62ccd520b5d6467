import FoundationEssentials
import GRDB
import Logging
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("The SQLite ledger")
struct SQLiteLedgerTests {
    @Test
    func everyCommitIsFlushedAndCheckpointsAreOffTheCommitPath() async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
            let found = try await ledger.connections.writer.writeWithoutTransaction { database in
                try ["journal_mode", "synchronous", "foreign_keys", "wal_autocheckpoint"].map {
                    try String.fetchOne(database, sql: "PRAGMA \($0)")
                }
            }
            #expect(found == ["wal", "2", "1", "0"])
            try await ledger.close()
        }
    }

    @Test
    func reopeningKeepsEverything() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let first = try SQLiteLedger(path: path, logger: .silent)
            let queue = try await first.makeQueue()
            let original = try await first.insert(.sample(queue, revision: 1, isEntitlement: true))
            let restored = try await first.insert(.sample(queue, revision: 2, original: original.asOriginal))
            let charge = try await first.insert(ChargeRecord.sample(queue, original.key))
            let restore = RestoreRecord.sample(queue, username: "anna")
            let event = EventRecord(queue: queue, revision: 3, kind: .restoreFinished(id: restore.id, count: 1))
            try await first.commit { writer in
                try writer.insert(restore)
                try writer.insert(event)
            }
            try await first.close()

            let second = try SQLiteLedger(path: path, logger: .silent)
            #expect(second.id == first.id)
            try await second.read { reader throws in
                #expect(try reader.queue(someQueue)?.key == queue)
                #expect(try reader.transaction(original.id) == original)
                #expect(try reader.transaction(restored.id) == restored)
                #expect(try reader.charge(forTransaction: original.key) == charge)
                #expect(try reader.restore(restore.id) == restore)
                #expect(try reader.events(in: queue, after: 0, limit: 9) == [event])
            }
            try await second.close()
        }
    }

    @Test
    func twoLedgersHaveTwoIdentities() async throws {
        try await withTemporaryDirectory { directory in
            let first = try SQLiteLedger(path: directory + "/first", logger: .silent)
            let second = try SQLiteLedger(path: directory + "/second", logger: .silent)
            #expect(first.id != second.id)
            try await first.close()
            try await second.close()
        }
    }

    @Test
    func aReopenedLedgerGivesNoKeyAgain() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let first = try SQLiteLedger(path: path, logger: .silent)
            let queue = try await first.makeQueue()
            let transaction = try await first.insert(.sample(queue, revision: 1))
            let renewal = try await first.insert(ChargeRecord.sample(queue, nil))
            try await first.close()
            let second = try SQLiteLedger(path: path, logger: .silent)
            #expect(try await second.insert(.sample(queue, revision: 2)).key == transaction.key + 1)
            #expect(try await second.insert(ChargeRecord.sample(queue, nil)).key == renewal.key + 1)
            try await second.close()
        }
    }

    @Test
    func ledgerIsMarkedCleanOnlyOnceClosed() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            #expect(try isMarkedClean(path) == false)
            try await ledger.close()
            #expect(try isMarkedClean(path) == true)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "the log is moved and gone")
        }
    }

    @Test
    func closedLedgerRefusesEverything() async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
            try await ledger.close()
            try await ledger.close()
            let commit = await #expect(throws: TillError.self) { try await ledger.makeQueue() }
            #expect(commit?.code == .failedPrecondition)
            let read = await #expect(throws: TillError.self) { try await ledger.read { try $0.queue(someQueue) } }
            #expect(read?.code == .failedPrecondition)
        }
    }

    @Test
    func errorOfSQLiteIsPassedOnAndStopsTheLedgerUnclean() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let queue = try await ledger.makeQueue()
            try await ledger.connections.writer.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA max_page_count = 1")
            }
            let full = await #expect(throws: DatabaseError.self) {
                try await ledger.commit { writer in
                    for revision in 1...1_000 {
                        _ = try writer.insert(.sample(queue, revision: UInt64(revision)))
                    }
                }
            }
            #expect(full?.resultCode == .SQLITE_FULL)
            let after = await #expect(throws: TillError.self) {
                try await ledger.commit { _ = try $0.advanceRevision(ofQueue: queue) }
            }
            #expect(after?.code == .unavailable)
            #expect(try await ledger.read { try $0.queue(key: queue)?.revision } == 0)
            try await ledger.close()
            #expect(try isMarkedClean(path) == false)
        }
    }

    @Test
    func commitOfACancelledTaskIsCarriedOut() async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask {
                    #expect(Task.isCancelled)
                    _ = try await ledger.makeQueue()
                }
                try await group.waitForAll()
            }
            #expect(try await ledger.read { try $0.queue(someQueue) } != nil)
            try await ledger.close()
        }
    }

    @Test
    func ledgerOpenForReadingGivesRowsAndTakesNone() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let writing = try SQLiteLedger(path: path, logger: .silent)
            let queue = try await writing.makeQueue()
            let record = try await writing.insert(.sample(queue, revision: 1))
            try await writing.close()
            let reading = try SQLiteLedger.openReadOnly(path: path)
            #expect(reading.id == writing.id)
            #expect(try await reading.read { try $0.transaction(record.id) } == record)
            let error = await #expect(throws: TillError.self) { try await reading.insert(.sample(queue, revision: 2)) }
            #expect(error?.code == .failedPrecondition)
            try await reading.close()
            #expect(try isMarkedClean(path) == true)
        }
    }
}
