import Dispatch
import FoundationEssentials
import GRDB
import GRDBSQLite
import Logging
import Testing
import TillEngine
import TillModel
@testable import TillSQLite

@Suite("Moving the log into the file")
struct CheckpointerTests {
    /// A clock that stands still until the test ends a wait.
    private struct StandingTime: TimeSource {
        let waits: AsyncStream<Void>

        func now() -> Date {
            Date(timeIntervalSince1970: 0)
        }

        func sleep(for duration: Duration) async throws {
            for await _ in waits {
                return
            }
            throw CancellationError()
        }
    }

    /// Streams log messages, one after the other.
    private struct Listener: LogHandler {
        let messages: AsyncStream<String>.Continuation
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        func log(event: LogEvent) {
            messages.yield(event.message.description)
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }

    /// Log messages, one at a time.
    private struct Log {
        let messages: AsyncStream<String>

        func next() async -> String? {
            for await message in messages {
                return message
            }
            return nil
        }
    }

    /// Serves a new ledger while `body` runs, which gets the clock and the messages that are logged after the start.
    private func withService(
        _ policy: CheckpointPolicy,
        _ body: (String, SQLiteLedger, AsyncStream<Void>.Continuation, Log) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let (waits, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
            let (messages, listener) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded)
            let path = directory + "/ledger"
            let ledger = try SQLiteLedger(
                path: path,
                checkpoints: policy,
                time: StandingTime(waits: waits),
                logger: Logger(label: "test") { _ in Listener(messages: listener) }
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await ledger.run() }
                let log = Log(messages: messages)
                #expect(await log.next() == "log filled")
                for _ in 0..<(policy.logPages == 0 || policy.logPagesMaximum == 0 ? 2 : 1) {
                    #expect(await log.next() == "log moved")
                }
                try await body(path, ledger, tick, log)
                group.cancelAll()
                try await group.waitForAll()
            }
            try await ledger.close()
        }
    }

    /// Whether the file has the transaction without its log.
    private func file(_ path: String, has record: TransactionRecord) async throws -> Bool {
        let copy = path + "-copy"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let ledger = try SQLiteLedger.openReadOnly(path: copy)
        let found = try await ledger.read { try $0.transaction(record.id) }
        try await ledger.close()
        try FileManager.default.removeItem(atPath: copy)
        return found == record
    }

    private static let filledBytes = UInt64(CheckpointPolicy().logBytesMinimum)

    private func logSize(_ path: String) throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? UInt64
    }

    @Test
    func logIsFilledBeforeCommitsNeedIt() async throws {
        try await withService(CheckpointPolicy(pages: .max)) { path, ledger, tick, log in
            #expect(try logSize(path) == Self.filledBytes)
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            #expect(try logSize(path) == Self.filledBytes, "neither cut nor grown")
            #expect(try await ledger.read { try $0.transaction(record.id) } == record)
            tick.yield()
            #expect(await log.next() == "log moved", "and not filled again")
        }
    }

    @Test
    func logThatCannotBeFilledIsMovedAllTheSame() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/ledger"
            let (messages, listener) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .unbounded)
            let ledger = try SQLiteLedger(
                path: path,
                logger: Logger(label: "test") { _ in Listener(messages: listener) }
            )
            let log = Log(messages: messages)
            try FileManager.default.moveItem(atPath: path + "-wal", toPath: path + "-away")
            try await ledger.checkpointer?.checkpoint()
            #expect(await log.next() == "log is not filled")
            #expect(await log.next() == "log moved")
            try FileManager.default.moveItem(atPath: path + "-away", toPath: path + "-wal")
            try await ledger.checkpointer?.checkpoint()
            #expect(await log.next() == "log moved", "and not tried again")
            try await ledger.close()
        }
    }

    @Test
    func logIsMovedWhenTimeHasPassed() async throws {
        try await withService(CheckpointPolicy(pages: .max)) { path, ledger, tick, log in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            #expect(try await file(path, has: record) == false)
            tick.yield()
            #expect(await log.next() == "log moved")
            #expect(try await file(path, has: record))
        }
    }

    @Test
    func logIsMovedWhenItHasEnoughPages() async throws {
        try await withService(CheckpointPolicy(pages: 20)) { path, ledger, _, log in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert((1...200).map { .sample(queue, revision: $0) })
            #expect(await log.next() == "log moved")
            #expect(try await file(path, has: records[199]))
            #expect(try (logSize(path) ?? 0) > 0, "moved, but not cut")
        }
    }

    @Test
    func logAboveItsLimitIsCut() async throws {
        try await withService(CheckpointPolicy(pages: .max, logPagesMaximum: 0)) { path, ledger, tick, log in
            let queue = try await ledger.makeQueue()
            let record = try await ledger.insert(.sample(queue, revision: 1))
            #expect(try (logSize(path) ?? 0) > 0)
            tick.yield()
            #expect(await log.next() == "log filled", "after the cut at the start")
            #expect(await log.next() == "log moved")
            #expect(await log.next() == "log moved")
            #expect(try logSize(path) == 0)
            #expect(try await file(path, has: record))
        }
    }

    @Test
    func logAboveItsSizeIsRestartedInPlace() async throws {
        try await withService(CheckpointPolicy(pages: .max, logPages: 0)) { path, ledger, tick, log in
            let queue = try await ledger.makeQueue()
            let records = try await ledger.insert((1...200).map { .sample(queue, revision: $0) })
            #expect(try logSize(path) == Self.filledBytes)
            tick.yield()
            #expect(await log.next() == "log moved")
            #expect(await log.next() == "log moved")
            #expect(try await file(path, has: records[199]))
            let record = try await ledger.insert(.sample(queue, revision: 201))
            #expect(try logSize(path) == Self.filledBytes, "neither cut nor grown")
            #expect(try await ledger.read { try $0.transaction(record.id) } == record)
        }
    }

    @Test(
        arguments: [
            (held: 4_000, ending: nil), (held: 4_001, ending: .restart), (held: 16_000, ending: .restart),
            (held: 16_001, ending: .truncate),
        ] as [(Int, Database.CheckpointMode?)]
    )
    func aLogEndsByItsLength(held: Int, ending: Database.CheckpointMode?) {
        #expect(CheckpointPolicy().ending(ofLogWith: held) == ending)
    }

    @Test(
        arguments: [
            (CancellationError(), true), (DatabaseError(resultCode: .SQLITE_INTERRUPT), true),
            (DatabaseError(resultCode: .SQLITE_IOERR), false), (DatabaseError(resultCode: .SQLITE_FULL), false),
            (TillError(.internal, "A bug."), false),
        ] as [(any Error, Bool)]
    )
    func onlyACancellationIsTakenForTheEnd(_ error: any Error, isCancellation: Bool) {
        #expect(error.isCancellation == isCancellation)
    }

    @Test
    func readerPutsTheCutOffAndNothingFails() async throws {
        try await withService(CheckpointPolicy(pages: .max, logPagesMaximum: 0)) { path, ledger, tick, log in
            let queue = try await ledger.makeQueue()
            let (started, start) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
            let end = DispatchSemaphore(value: 0)
            async let seen = ledger.read { reader in
                let record = try reader.queue(key: queue)
                start.finish()
                end.wait()
                return try (record, reader.transactions(in: queue, changedAfter: 0, limit: 9))
            }
            for await _ in started {}
            _ = try await ledger.insert(.sample(queue, revision: 1))
            tick.yield()
            #expect(await log.next() == "log filled", "after the cut at the start")
            #expect(await log.next() == "log moved")
            #expect(await log.next() == "log is in use and will be moved later")
            _ = try await ledger.insert(.sample(queue, revision: 2))
            end.signal()
            #expect(try await seen.1.isEmpty, "a reader sees one state")
            tick.yield()
            #expect(await log.next() == "log moved")
            #expect(await log.next() == "log moved")
            #expect(try logSize(path) == 0)
        }
    }

    /// A cancellation just after an access interrupts nothing, but SQLite would interrupt the next checkpoint.
    @Test
    func anInterruptionThatCameTooLateDoesNotFailTheClose() async throws {
        try await withTemporaryDirectory { directory in
            let ledger = try SQLiteLedger(path: directory + "/ledger", logger: Logger(label: "test"))
            let checkpointer = try #require(ledger.checkpointer)
            try await checkpointer.queue.writeWithoutTransaction { unsafe sqlite3_interrupt($0.sqliteConnection) }
            try await ledger.close()
        }
    }
}
