import FoundationEssentials
import GRDB
import Glibc
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("Copies of a ledger in use, and the timelines that they begin")
struct SQLiteTimelineTests {
    /// Copies a ledger as a backup does, and writes the copy to a file of its own.
    private static func copy(_ ledger: SQLiteLedger, _ directory: String, to path: String) async throws {
        let (snapshot, _) = try await ledger.snapshot(path: directory + "/copying") {}
        #expect(unsafe access(directory + "/copying", F_OK) != 0, "the copy has kept its name")
        var bytes = [UInt8](repeating: 0, count: snapshot.byteCount)
        #expect(unsafe pread(snapshot.descriptor, &bytes, bytes.count, 0) == bytes.count)
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func aCopyHasWhatWasCommittedBeforeItBegan() async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
            try await ledger.commit { try $0.setSetting("before", to: "1") }
            try await Self.copy(ledger, directory, to: directory + "/copy")
            try await ledger.commit { try $0.setSetting("after", to: "1") }
            try await ledger.close()
            #expect(try LedgerFileCheck(path: directory + "/copy").findings == [])
            let copy = try SQLiteLedger(path: directory + "/copy", logger: .silent)
            #expect(try await copy.read { try $0.settings() } == ["before": "1"])
            #expect(copy.id == ledger.id && copy.timelineID == ledger.id)
            try await copy.close()
        }
    }

    @Test func aTimelineHasItsOwnIdentityAndHigherIdentifiers() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            try await ledger.close()
            var timelines: Set<UUID> = [ledger.timelineID]
            var number = ledger.numbering.transactions.number(ofKey: 1 << 32)
            for _ in 0..<3 {
                #expect(try SQLiteLedger.beginTimeline(path: path) == ledger.id)
                let restored = try SQLiteLedger(path: path, logger: .silent)
                #expect(restored.id == ledger.id)
                let isNew = timelines.insert(restored.timelineID).inserted
                #expect(isNew)
                let next = restored.numbering.transactions.number(ofKey: 1)
                #expect(next > number)
                number = restored.numbering.transactions.number(ofKey: 1 << 32)
                try await restored.close()
                #expect(try LedgerFileCheck(path: path).findings == [])
                let reading = try SQLiteLedger.openReadOnly(path: path)
                #expect(reading.timelineID == restored.timelineID)
                try await reading.close()
            }
        }
    }

    @Test func aLedgerInMemoryCannotBeCopied() async throws {
        let ledger = try SQLiteLedger.inMemory()
        let error = await #expect(throws: TillError.self) { _ = try await ledger.snapshot(path: "/nowhere/copy") {} }
        #expect(error?.code == .failedPrecondition)
    }

    @Test func aDirectoryThatIsNotThereIsAnError() async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try SQLiteLedger(path: directory + "/ledger", logger: .silent)
            let error = await #expect(throws: TillError.self) {
                _ = try await ledger.snapshot(path: directory + "/none/copy") {}
            }
            #expect(error?.code == .failedPrecondition)
            // Nothing has happened to the ledger.
            try await ledger.commit { try $0.setSetting("after", to: "1") }
            try await ledger.close()
        }
    }
}
