import GRDB
import Glibc
import TillModel

extension LedgerFile {
    /// Readable for the owner alone; the log and its index take the mode of the file.
    private static let mode: mode_t = 0o600

    /// Creates the ledger under a temporary name, and then renames it durably.
    func create() throws {
        try requireNoLogWithoutLedger()
        _ = try makeDraft()
        try finishDraft()
    }

    private func requireNoLogWithoutLedger() throws {
        guard unsafe access(path + "-wal", F_OK) != 0 else {
            throw TillError(
                .dataLoss,
                "There is a log \(path)-wal without its ledger. Restore the ledger; without it, the log's payments are lost."
            )
        }
    }

    private var draft: String {
        path + ".new"
    }

    /// Creates an empty file beside the ledger; returns its path.
    func makeDraft() throws -> String {
        removeDraft()
        let file = unsafe open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, Self.mode)
        try require(file >= 0)
        Glibc.close(file)
        return draft
    }

    func removeDraft() {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            _ = unsafe unlink(draft + suffix)
        }
    }

    /// Makes a ledger of what `fill` writes in one transaction, in the place of the ledger that was moved or is not complete.
    ///
    /// - Throws: `failedPrecondition` while another process uses the old ledger; the errors of `fill`. A draft may be left.
    func createDraft(_ fill: (Database) throws -> Void) throws {
        if unsafe access(path, F_OK) == 0 {
            try endLog()
            // SQLite would take the log for one of the new file.
            try requireNoLog()
        } else {
            try requireNoLogWithoutLedger()
        }
        let queue = try openDraft(makeDraft())
        try queue.inDatabase { database in
            try database.inTransaction(.immediate) {
                try fill(database)
                return .commit
            }
        }
        try queue.close()
        try finishDraft()
    }

    /// Requires that the ledger's file has everything, so that it can be replaced.
    func requireNoLog() throws {
        guard unsafe access(path + "-wal", F_OK) != 0 else {
            throw TillError(
                .failedPrecondition,
                "The ledger \(path) is in use by another process, which keeps its log open. Stop that process."
            )
        }
    }

    /// Makes the draft a ledger of the newest schema.
    private func openDraft(_ draft: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: draft, configuration: configuration(readonly: false))
        try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try Schema.migrator.migrate(queue)
        return queue
    }

    /// Makes the draft a ledger of the newest schema, and renames it to the ledger's name.
    func finishDraft() throws {
        let queue = try openDraft(draft)
        // Here and not at the first use: a crash during this change leaves a journal, and a file with the ledger's name is
        // inspected before it is opened for writing.
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        try require(unsafe rename(draft, path) == 0)
        try flushDirectory()
    }

    /// Makes the names in the ledger's directory durable.
    func flushDirectory() throws {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        try flush(directory, O_RDONLY | O_DIRECTORY)
    }

    /// Flushes a file or directory.
    func flush(_ path: String, _ flags: CInt) throws {
        let descriptor = unsafe open(path, flags | O_CLOEXEC)
        try require(descriptor >= 0)
        defer { Glibc.close(descriptor) }
        try require(fsync(descriptor) == 0)
    }

    func require(_ succeeded: Bool) throws {
        guard succeeded else {
            let reason = unsafe String(cString: strerror(errno))
            throw TillError(
                .failedPrecondition,
                "The ledger \(path) cannot be created: \(reason). Check its directory, its owner and mode."
            )
        }
    }
}
