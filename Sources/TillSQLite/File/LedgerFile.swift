import CSQLiteVFS
import FoundationEssentials
import GRDB
import GRDBSQLite
import Glibc
import TillModel
import TillSQL

#if MUTANTS
    import Mutants
#endif

/// Creates, checks and opens the file of a ledger, or refuses it with the reason and what to do about it.
struct LedgerFile {
    /// How long a connection waits for another process's lock.
    static let busyTimeout = 10.0
    static let readersMaximum = 4
    /// The writer's cache in KiB, large enough that its indexes stay in memory.
    static let cacheKibibytes = 16_384

    let path: String

    /// Creates the ledger unless the file exists, and checks it; returns the ledger's identity.
    ///
    /// A new file gets its name only once it is complete, so that an empty or incomplete file at `path` is always damage.
    func createIfMissing() throws -> UUID {
        try explained {
            if unsafe access(path, F_OK) != 0 && errno == ENOENT {
                try create()
            }
        }
        return try inspect()
    }

    /// Checks that the file is a ledger that this version can use, and all of its pages if it was not stopped cleanly;
    /// returns the ledger's identity.
    func inspect() throws -> UUID {
        let (id, mark) = try inspectWithMark()
        if let mark {
            throw mark.refusal(of: "The ledger \(path)")
        }
        return id
    }

    /// Checks the file as ``inspect()`` does, but takes a ledger that was moved or is not complete, too.
    func inspectWithMark() throws -> (id: UUID, mark: LedgerMark?) {
        try explained {
            try requireFile()
            try checkLog()
            let queue = try DatabaseQueue(path: path, configuration: configuration(readonly: true))
            let inspected = try queue.read(inspect)
            try queue.close()
            return inspected
        }
    }

    func openForWriting() throws -> DatabasePool {
        try explained {
            if try checkLog() {
                try endLog()
            }
            if try version() < Schema.checksums {
                try addChecksums()
            }
            let pool = try DatabasePool(path: path, configuration: configuration(readonly: false))
            // GRDB commits into an empty log without flushing it. A commit begins only once the one before is flushed:
            // `checkLog` relies on that.
            try flush(path + "-wal", O_RDONLY)
            try pool.writeWithoutTransaction(configureWriter)
            try Schema.migrator.migrate(pool)
            try pool.write { try $0.execute(sql: "UPDATE meta SET clean = 0") }
            // By now the log has its name, and SQLite continues even if it cannot flush that.
            try flushDirectory()
            return pool
        }
    }

    /// - Throws: `failedPrecondition` for a ledger from before pages had checksums. It may be damaged otherwise.
    func requireChecksums() throws {
        if let version = try? version(), version < Schema.checksums {
            throw isOlder(version)
        }
    }

    private func isOlder(_ version: Int32) -> TillError {
        TillError(
            .failedPrecondition,
            """
            The ledger \(path) has schema \(version), made by an older Till. Start and stop tilld once, which brings it up \
            to schema \(Schema.version).
            """
        )
    }

    func openForReading() throws -> DatabasePool {
        try explained {
            let pool = try DatabasePool(path: path, configuration: configuration(readonly: true))
            let version = try pool.read(version)
            guard version == Schema.version else {
                throw isOlder(version)
            }
            return pool
        }
    }

    func configuration(readonly: Bool) -> Configuration {
        var configuration = Configuration.guardingPages
        configuration.label = "till.ledger"
        configuration.readonly = readonly
        configuration.busyMode = .timeout(Self.busyTimeout)
        configuration.maximumReaderCount = Self.readersMaximum
        return configuration
    }
}

extension LedgerFile {
    private func requireFile() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw TillError(.failedPrecondition, "\(path) is not a file. Name the ledger's file.")
        }
        guard attributes[.size] as? UInt64 != 0 else {
            throw TillError(
                .dataLoss,
                "The ledger \(path) is empty. Restore it from a backup, or remove it to start again."
            )
        }
    }

    private func inspect(_ database: Database) throws -> (id: UUID, mark: LedgerMark?) {
        guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
            throw TillError(.failedPrecondition, "\(path) is a database, but not a ledger of Till. Name another file.")
        }
        let transaction = SQLTransaction(database: database)
        let found = try version(database)
        let mark = try transaction.mark(version: Int64(found))
        let version = mark == nil ? found : found - Int32(LedgerMark.versionOffset)
        guard version <= Schema.version else {
            throw TillError(
                .failedPrecondition,
                """
                The ledger \(path) has schema \(version), made by a newer Till; this one knows schemas up to \
                \(Schema.version). Install the newer Till.
                """
            )
        }
        guard version < Schema.checksums || Self.guardsPages(database) else {
            throw TillError(
                .dataLoss,
                "The ledger \(path) is damaged: its pages have no checksums. Restore it from a backup."
            )
        }
        let meta = try transaction.rows(of: "meta", "SELECT only, ledger_id, clean FROM meta", []) { columns in
            _ = try columns.integer()
            return (id: try columns.uuid("ledger_id", nil), isClean: try columns.flag("clean", nil))
        }
        guard let meta = meta.first else {
            throw TillError(.dataLoss, "The ledger \(path) has lost its identity. Restore it from a backup.")
        }
        if !meta.isClean {
            try check(database, "quick_check")
        }
        return (meta.id, mark)
    }

    private func version() throws -> Int32 {
        let queue = try DatabaseQueue(path: path, configuration: configuration(readonly: true))
        let version = try queue.read(version)
        try queue.close()
        return version
    }

    private func version(_ database: Database) throws -> Int32 {
        try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Runs SQLite's check of that name, which reads all of the file.
    func check(_ database: Database, _ pragma: String) throws {
        let findings = try String.fetchAll(database, sql: "PRAGMA \(pragma)(1)")
        guard findings == ["ok"] else {
            throw Self.damaged(path, Self.checksumFindings(path) ?? findings.joined(separator: "; "))
        }
    }

    /// Sets the writer's connection up before the first commit. GRDB lowers `synchronous` when it opens the file, so it is
    /// raised after that, and read back.
    private func configureWriter(_ database: Database) throws {
        #if MUTANTS
            if Mutant.synchronousAsOpened.isPlanted {
                return
            }
        #endif
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA cache_size = -\(Self.cacheKibibytes);
                """
        )
        let expected = ["journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"]
        for (pragma, value) in expected.sorted(by: { $0.key < $1.key }) {
            let found = try String.fetchOne(database, sql: "PRAGMA \(pragma)")
            guard found == value else {
                throw TillError(
                    .failedPrecondition,
                    """
                    SQLite has \(pragma) = \(found ?? "nothing") for the ledger \(path) where it must be \(value). \
                    Put the ledger on a local file system.
                    """
                )
            }
        }
        #if MUTANTS
            if Mutant.synchronousNormal.isPlanted {
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                return
            }
        #endif
        // `synchronous` makes this safe.
        let result = unsafe till_sqlite_gather_log(database.sqliteConnection)
        guard result == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: result))
        }
    }

    /// Runs `body`, and explains errors of SQLite and the system about the file.
    func explained<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as TillError {
            throw error
        } catch {
            throw LedgerFile.explanation(of: error, path: path)
        }
    }
}
