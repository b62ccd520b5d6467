import GRDB
import Glibc
import NIOConcurrencyHelpers
import TillModel

/// A copy of a ledger's file as of one moment. It has no name, so that it goes with its last descriptor, even after a crash.
package final class LedgerSnapshot: Sendable {
    /// The space that a copy leaves free, so that commits continue: a ledger that cannot be written ends the daemon.
    static let freeBytesKept = 16 << 20
    /// The pages that are copied between two looks at the disk and at the caller: 4 MiB.
    static let pagesPerStep: CInt = 1024

    /// Open for reading.
    package let descriptor: CInt
    package let byteCount: Int
    package let schemaVersion: Int32

    /// Creates an empty file at the path; a file that a crash left there is removed.
    fileprivate init(path: String, schemaVersion: Int32, _ copy: (String) throws -> Void) throws {
        _ = unsafe unlink(path)
        descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        self.schemaVersion = schemaVersion
        guard descriptor >= 0 else {
            byteCount = 0
            throw Self.failure(path, errno)
        }
        do {
            defer { _ = unsafe unlink(path) }
            try copy(path)
        } catch {
            byteCount = 0
            throw error
        }
        byteCount = Int(lseek(descriptor, 0, SEEK_END))
    }

    deinit {
        if descriptor >= 0 {
            Glibc.close(descriptor)
        }
    }

    static func failure(_ path: String, _ code: CInt) -> TillError {
        let reason = unsafe String(cString: strerror(code))
        return TillError(.failedPrecondition, "The ledger cannot be copied to \(path): \(reason).")
    }
}

extension SQLiteLedger {
    /// Copies the ledger as of one moment, while commits continue. Only the log grows in the meantime.
    ///
    /// SQLite's online backup copies pages with their checksums. `VACUUM INTO` would write rows into new pages, which needs
    /// another pass for the checksums.
    ///
    /// - Parameters:
    ///   - path: The temporary name of the copy, on a disk that has space for it.
    ///   - begun: Called at the moment of which the copy is.
    /// - Throws: `failedPrecondition` if the disk has too little space; `dataLoss` for a damaged page.
    package func snapshot<Value: Sendable>(
        path: String,
        begun: @escaping @Sendable () throws -> Value
    ) async throws -> (LedgerSnapshot, Value) {
        guard case .file(let pool) = connections else {
            throw TillError(.failedPrecondition, "A ledger in memory has no file to copy.")
        }
        let isCancelled = NIOLockedValueBox(false)
        return try await withTaskCancellationHandler {
            try await pool.read { database in
                // The first read chooses the state that the transaction sees.
                let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM meta")
                let value = try begun()
                let space = FreeSpace(path: path, ledger: LedgerFile(path: pool.path))
                let snapshot = try LedgerSnapshot(path: path, schemaVersion: version) { path in
                    try space.require(for: space.ledgerBytes)
                    try self.copy(database, to: path) {
                        guard !isCancelled.withLockedValue({ $0 }) else {
                            throw CancellationError()
                        }
                        try space.require(for: 0)
                    }
                }
                return (snapshot, value)
            }
        } onCancel: {
            isCancelled.withLockedValue { $0 = true }
        }
    }

    /// - Parameter check: Called between steps; ends the copy if it throws.
    private func copy(_ database: Database, to path: String, check: @escaping () throws -> Void) throws {
        do {
            var configuration = Configuration.guardingPages
            configuration.label = "till.ledger.snapshot"
            let copy = try DatabaseQueue(path: path, configuration: configuration)
            // From now on a crash leaves nothing behind.
            _ = unsafe unlink(path)
            try copy.writeWithoutTransaction { destination in
                // The copy need not survive a crash, and flushing it would delay commits.
                try destination.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
                try database.backup(to: destination, pagesPerStep: LedgerSnapshot.pagesPerStep) { progress in
                    if !progress.isCompleted {
                        try check()
                    }
                }
            }
            try copy.close()
        } catch let error as DatabaseError {
            if let damage = database.damage(error) {
                throw TillError(.dataLoss, "\(damage). Restore the ledger from a backup.", cause: error)
            }
            let reason = error.message ?? "SQLite failed"
            throw TillError(.failedPrecondition, "The ledger cannot be copied to \(path): \(reason).", cause: error)
        }
    }
}

/// The space on the disk of a copy.
private struct FreeSpace {
    let path: String
    let ledgerBytes: Int

    init(path: String, ledger: LedgerFile) {
        self.path = path
        ledgerBytes = ledger.byteCount
    }

    /// Requires space for so many bytes and for the commits of the meantime.
    func require(for bytes: Int) throws(TillError) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var status = statvfs()
        guard unsafe statvfs(directory, &status) == 0 else {
            throw LedgerSnapshot.failure(path, errno)
        }
        let free = Int(status.f_bavail) * Int(status.f_frsize)
        let needed = bytes + LedgerSnapshot.freeBytesKept
        guard free >= needed else {
            throw TillError(
                .failedPrecondition,
                """
                The disk of \(directory) is too full for a backup, which needs \(needed >> 20) MiB there for a temporary \
                copy of the ledger: make room.
                """
            )
        }
    }
}
