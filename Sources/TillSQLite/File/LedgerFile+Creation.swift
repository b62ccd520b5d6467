import GRDB
import Glibc
import TillModel

extension LedgerFile {
    /// Readable for the owner alone; the log and its index take the mode of the file.
    private static let mode: mode_t = 0o600

    /// Creates the ledger under a temporary name, and then renames it durably.
    func create() throws {
        guard unsafe access(path + "-wal", F_OK) != 0 else {
            throw TillError(
                .dataLoss,
                "There is a log \(path)-wal without its ledger. Restore the ledger; without it, the log's payments are lost."
            )
        }
        _ = try makeDraft()
        try finishDraft()
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

    /// Makes the draft a ledger of the newest schema, and renames it to the ledger's name.
    func finishDraft() throws {
        let queue = try DatabaseQueue(path: draft, configuration: configuration(readonly: false))
        try queue.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try Schema.migrator.migrate(queue)
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
