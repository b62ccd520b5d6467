import CSQLiteVFS
import FoundationEssentials
import Testing
import TillEngine
import TillModel

@testable import TillSQLite

@Suite("Inspection of a log that was filled with zeros")
struct LogInspectionTests {
    private static let header = 32
    private static let frame = 24 + Int(TILL_SQLITE_PAGE_SIZE)
    private static let zeros = Data(count: CheckpointPolicy().logBytesMinimum)

    /// The files of a ledger with three commits in its log, and what they hold.
    private struct Files {
        var file: Data
        var log: Data
        var index: Data
        var frames: Int
        /// The offsets of the frames that end a commit.
        var ends: [Int]
    }

    private func withFiles(_ body: (_ path: String, Files) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(path: path, logger: .silent)
            let queue = try await ledger.makeQueue()
            try await ledger.checkpointer?.checkpoint()
            for revision in 1...3 {
                _ = try await ledger.insert([.sample(queue, revision: UInt64(revision))])
            }
            let log = try read(path + "-wal")
            let offsets = stride(from: Self.header, through: log.count - Self.frame, by: Self.frame)
            let salt = log[16..<24]
            let frames = offsets.prefix { log[$0 + 8..<$0 + 16] == salt }
            let files = Files(
                file: try read(path),
                log: Data(log[..<(Self.header + frames.count * Self.frame)]),
                index: try read(path + "-shm"),
                frames: frames.count,
                ends: frames.filter { log[$0 + 4..<$0 + 8] != Data(count: 4) }
            )
            try await ledger.close()
            try #require(files.ends.count == 3)
            try await body(directory + "/copy", files)
        }
    }

    private func read(_ path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path))
    }

    private func write(_ files: Files, log: Data, hasIndex: Bool, to path: String) throws {
        try files.file.write(to: URL(filePath: path))
        try log.write(to: URL(filePath: path + "-wal"))
        try? FileManager.default.removeItem(atPath: path + "-shm")
        if hasIndex {
            try files.index.write(to: URL(filePath: path + "-shm"))
        }
    }

    private func findings(_ path: String) -> TillLogFindings {
        var findings = TillLogFindings()
        #expect(unsafe till_sqlite_inspect_log(path + "-wal", path + "-shm", &findings) == 0)
        return findings
    }

    /// How many transactions the ledger serves with these files.
    private func served(_ path: String) async throws -> Int {
        let ledger = try SQLiteLedger(path: path, logger: .silent)
        let count = try await ledger.read { try $0.transactions(matching: .init(), afterKey: 0, limit: 9).count }
        try await ledger.close()
        return count
    }

    @Test(arguments: [true, false])
    func zerosAfterTheLastFrameAreTheEndOfTheLog(hasIndex: Bool) async throws {
        try await withFiles { path, files in
            // The last of these lengths ends within a frame of zeros.
            for zeros in [0, 1, 100, Self.frame, 3 * Self.frame + 7, Self.zeros.count - files.log.count] {
                try write(files, log: files.log + Self.zeros.prefix(zeros), hasIndex: hasIndex, to: path)
                let found = findings(path)
                #expect(found.whole_frames == UInt32(files.frames), "\(zeros) zeros")
                #expect(found.known_frames == (hasIndex ? found.whole_frames : 0))
                #expect(found.is_header_damaged == 0 && found.stray_frames == 0 && found.stray_commits == 0)
                #expect(try LedgerFile(path: path).checkLog() == false)
                #expect(try await served(path) == 3)
            }
        }
    }

    @Test(arguments: [0, 31, 32, 4_095, zeros.count])
    func zerosAloneAreAnEmptyLog(count: Int) async throws {
        try await withFiles { path, files in
            try write(files, log: Self.zeros.prefix(count), hasIndex: false, to: path)
            let found = findings(path)
            #expect(found.is_header_damaged == 0 && found.whole_frames == 0 && found.stray_frames == 0)
            #expect(try await served(path) == 0)
        }
    }

    @Test
    func aCommitThatWasCutOffBeforeTheZerosIsNoDamage() async throws {
        try await withFiles { path, files in
            for cut in stride(from: files.ends[1] + Self.frame + 8, to: files.log.count, by: 4_096) {
                let log = files.log.prefix(cut) + Self.zeros.dropFirst(cut)
                try write(files, log: log, hasIndex: false, to: path)
                #expect(findings(path).stray_commits <= 1)
                #expect(try await served(path) == 2, "cut at \(cut)")
            }
        }
    }

    @Test
    func damageBeforeTheZerosIsFound() async throws {
        try await withFiles { path, files in
            for hasIndex in [true, false] {
                var log = files.log + Self.zeros
                log[files.ends[0] + 100] ^= 1
                try write(files, log: log, hasIndex: hasIndex, to: path)
                let error = await #expect(throws: TillError.self, "a flipped bit") { try await served(path) }
                #expect(error?.code == .dataLoss)
                log = Self.zeros.prefix(Self.header) + files.log.dropFirst(Self.header) + Self.zeros
                try write(files, log: log, hasIndex: hasIndex, to: path)
                #expect(findings(path).is_header_damaged != 0)
                #expect(await #expect(throws: TillError.self) { try await served(path) }?.code == .dataLoss)
            }
            // Only the index knows of commits that became zeros.
            let log = files.log.prefix(files.ends[1] + Self.frame) + Self.zeros
            try write(files, log: log, hasIndex: true, to: path)
            #expect(findings(path).known_frames == UInt32(files.frames))
            #expect(await #expect(throws: TillError.self) { try await served(path) }?.code == .dataLoss)
        }
    }
}
