import CSQLiteVFS
import FoundationEssentials
import GRDB
import GRDBSQLite
import TestValues
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("Bytes of a ledger that change on the disk")
struct SQLiteBitRotTests {
    static let damagesDefault = 60
    static let page = Int(TILL_SQLITE_PAGE_SIZE)

    /// How a file changes.
    enum Damage: CaseIterable {
        case flippedBit, zeroedSector, swappedPages, cutTail

        func apply(to bytes: inout Data, using random: inout SplitMix64) {
            switch self {
            case .flippedBit:
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case .zeroedSector:
                let start = Int.random(in: 0..<bytes.count / 512, using: &random) * 512
                bytes.replaceSubrange(start..<start + 512, with: Data(count: 512))
            case .swappedPages:
                let numbers = (0..<bytes.count / page).shuffled(using: &random).prefix(2).map { $0 * page }
                let pages = numbers.map { Data(bytes[$0..<$0 + page]) }
                bytes.replaceSubrange(numbers[0]..<numbers[0] + page, with: pages[1])
                bytes.replaceSubrange(numbers[1]..<numbers[1] + page, with: pages[0])
            case .cutTail:
                bytes = Data(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
            }
        }
    }

    /// The files of a ledger, by what their names end in.
    typealias Files = [String: Data]

    /// Runs `body` with a ledger's files as a kill leaves them, and as a clean stop does.
    private func withFiles(_ body: (String, _ killed: Files, _ stopped: Files) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            // Without zeros after the last commit, where damage changes nothing.
            let checkpoints = CheckpointPolicy(logBytesMinimum: 0)
            let ledger = try SQLiteLedger(path: path, checkpoints: checkpoints, logger: .silent)
            let queue = try await ledger.makeQueue()
            _ = try await ledger.insert((1...200).map { .sample(queue, revision: $0) })
            try await ledger.checkpointer?.checkpoint()
            for revision in 201...260 {
                _ = try await ledger.insert([.sample(queue, revision: UInt64(revision))])
            }
            let killed = try files(path)
            try await ledger.close()
            try await body(directory + "/copy", killed, try files(path))
        }
    }

    private func files(_ path: String) throws -> Files {
        var files: Files = [:]
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            files[suffix] = try Data(contentsOf: URL(filePath: path + suffix))
        }
        return files
    }

    /// All that the ledger of these files serves; nil when it says that they are damaged.
    private func content(_ files: Files, at path: String) async throws -> [String]? {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            try files[suffix]?.write(to: URL(filePath: path + suffix))
        }
        do {
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let content: [String]?
            do {
                content = try await read(ledger)
            } catch let error as TillError where error.code == .dataLoss {
                content = nil
            }
            try await ledger.close()
            return content
        } catch let error as TillError where error.code == .dataLoss {
            return nil
        }
    }

    private func read(_ ledger: SQLiteLedger) async throws -> [String] {
        let records = try await ledger.read { try $0.transactions(matching: .init(), afterKey: 0, limit: 1_000) }
        let deliverable = try await ledger.read { reader in
            try reader.queues(afterKey: 0, limit: 9).flatMap {
                try reader.transactions(in: $0.key, changedAfter: 0, limit: 1_000)
            }
        }
        return (records + deliverable).map { "\($0)" }
    }

    @Test
    func noChangedByteIsServedAsSomethingElse() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["TILL_TEST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        let count = environment["TILL_DAMAGES"].flatMap { Int($0) } ?? Self.damagesDefault
        var random = SplitMix64(seed: seed)
        print("Damages: \(count); to repeat them: TILL_TEST_SEED=\(seed)")
        try await withFiles { path, killed, stopped in
            let expected = try #require(try await content(stopped, at: path))
            #expect(try await content(killed, at: path) == expected)
            try #require(stopped["-wal"] == nil)
            var found = 0
            for number in 0..<count {
                // The last is of the log that a kill left, every fifth time.
                let isLog = number % 5 == 4
                var files = isLog ? killed : stopped
                let name = isLog ? "-wal" : ""
                let kind = Damage.allCases[number / 5 % Damage.allCases.count]
                var bytes = try #require(files[name])
                kind.apply(to: &bytes, using: &random)
                guard bytes != files[name] else {
                    continue
                }
                files[name] = bytes
                let served = try await content(files, at: path)
                found += served == nil ? 1 : 0
                #expect(served == nil || served == expected, "damage \(number) of the file \"\(name)\": \(kind)")
            }
            print("Damages found: \(found) of \(count); the others changed nothing that is served")
            // Of fewer all may fall where nothing is read.
            #expect(found > 0 || count < Self.damagesDefault, "no damage was found")
        }
    }

    /// After a loss of power, when the log has no index.
    @Test
    func aLogThatIsDamagedBeforeItsLastCommitsIsRefused() async throws {
        try await withFiles { path, killed, _ in
            var files = killed
            files["-shm"] = nil
            var log = try #require(files["-wal"])
            log[log.count / 2] ^= 1
            files["-wal"] = log
            #expect(try await content(files, at: path) == nil)
            log = try #require(killed["-wal"])
            log.replaceSubrange(0..<32, with: Data(count: 32))
            files["-wal"] = log
            #expect(try await content(files, at: path) == nil, "header")
        }
    }

    @Test
    func aCommitThatALossOfPowerCutOffIsNoDamage() async throws {
        try await withFiles { path, killed, stopped in
            var files = killed
            files["-shm"] = nil
            var log = try #require(files["-wal"])
            log[log.count - 1] ^= 1
            files["-wal"] = log
            let expected = try #require(try await content(stopped, at: path))
            let served = try #require(try await content(files, at: path))
            #expect(served.count == expected.count - 2)
        }
    }

    /// The log is written over an older one: of a frame whose header lies in two sectors, the disk may have kept the number
    /// of pages that ended an older commit, before the salt of the new log.
    @Test
    func aCutOffCommitWithAHeaderThatIsHalfOldIsNoDamage() async throws {
        try await withFiles { path, killed, _ in
            let frame = 24 + Self.page
            let log = try #require(killed["-wal"])
            let headers = Array(stride(from: 32, through: log.count - frame, by: frame))
            let ends = headers.filter { log[$0 + 4..<$0 + 8].contains { $0 != 0 } }
            // The salt begins in the next sector; not the last frame of its commit, nor the first.
            let torn = try #require(
                headers.last {
                    $0 % 512 == 504 && !ends.contains($0) && !ends.contains($0 - frame) && $0 < ends[ends.count - 1]
                }
            )
            let start = try #require(ends.last { $0 < torn }) + frame
            let end = try #require(ends.first { $0 > torn }) + frame
            var files = killed
            files["-shm"] = nil
            files["-wal"] = Data(log[..<start])
            let expected = try #require(try await content(files, at: path))
            var bytes = Data(log[..<end])
            bytes[start + 100] ^= 1
            bytes[torn + 7] = 104
            files["-wal"] = bytes
            let served = try #require(try await content(files, at: path), "the ledger was refused")
            #expect(served == expected)
        }
    }

    @Test
    func theDamagedPageIsNamed() async throws {
        try await withFiles { path, _, stopped in
            var files = stopped
            var bytes = try #require(files[""])
            bytes[Self.page + 1_000] ^= 1
            files[""] = bytes
            _ = try await content(files, at: path)
            #expect(try LedgerFile(path: path).damagedPages(limit: 9) == [2])
            #expect(LedgerFile.checksumFindings(path) == "the checksum of page 2 is wrong")
        }
    }

    /// Some builds of SQLite map files into memory by default.
    @Test
    func pagesOfAFileThatSQLiteMapsAreVerified() async throws {
        try await withFiles { path, _, stopped in
            var bytes = try #require(stopped[""])
            bytes[Self.page + 1_000] ^= 1
            try bytes.write(to: URL(filePath: path))
            var mapping = Configuration()
            let size = bytes.count
            mapping.prepareDatabase { database in
                let mapped = try Int.fetchOne(database, sql: "PRAGMA mmap_size = \(size)")
                #expect(mapped == size)
                #expect(unsafe till_sqlite_guard_pages(database.sqliteConnection) == SQLITE_OK)
            }
            let configuration = mapping
            let error = #expect(throws: DatabaseError.self) {
                try DatabaseQueue(path: path, configuration: configuration).read { database in
                    try database.execute(sql: "PRAGMA quick_check")
                }
            }
            #expect(error?.extendedResultCode == .SQLITE_IOERR_DATA)
        }
    }

    /// As libxxhash has it.
    @Test
    func theChecksumIsXXH64OfThePageWithItsNumberAsSeed() {
        let page = (0..<Self.page).map { UInt8($0 % 251) }
        #expect(unsafe till_sqlite_page_checksum(page, 1) == 0x1AD6_9137_E750_FBB4)
        #expect(unsafe till_sqlite_page_checksum(page, 7) == 0xF058_A96B_671F_28F2)
    }
}
