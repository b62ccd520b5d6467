package import FoundationEssentials
import GRDB
import Glibc
import TillModel
package import TillSQL

/// A file that has a ledger or gets one, in a directory that no daemon uses.
package struct SQLiteMigrationPlace: MigrationPlace {
    package let name: String
    private let file: LedgerFile

    /// - Parameters:
    ///   - path: The ledger's file.
    ///   - name: The absolute path of its directory.
    package init(path: String, name: String) {
        self.name = name
        file = LedgerFile(path: path)
    }

    package func standing() throws -> LedgerStanding {
        guard unsafe access(file.path, F_OK) == 0 || errno != ENOENT else {
            return .missing
        }
        let (id, mark) = try file.inspectWithMark()
        return mark.map { .marked(id, $0) } ?? .usable(id)
    }

    package func read<Value>(_ body: (any MigratingConnection) throws -> Value) throws -> Value {
        let pool = try file.openForReading()
        defer { try? pool.close() }
        return try file.explained {
            try pool.read { try body(SQLiteConnection($0)) }
        }
    }

    package func replace(_ body: (any MigratingConnection) throws -> Void) throws {
        // The body's errors may be about another database.
        var failure: (any Error)?
        do {
            try file.explained {
                try file.createDraft { database in
                    do {
                        try body(SQLiteConnection(database))
                    } catch {
                        failure = error is DatabaseError ? nil : error
                        throw error
                    }
                }
            }
        } catch {
            file.removeDraft()
            throw failure ?? error
        }
    }

    package func change(_ body: (any MigratingConnection) throws -> Void) throws {
        let pool = try file.openForWriting()
        try file.explained {
            try pool.write { database in
                try body(SQLiteConnection(database))
                try database.execute(sql: "UPDATE meta SET clean = 1")
            }
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }
}

extension SQLiteLedger {
    /// Where the ledger in the file was moved, with its identity; nil if it was not moved.
    ///
    /// - Throws: As ``init(path:checkpoints:time:logger:)`` for a file that is not a ledger, or is damaged.
    package static func whereMoved(path: String) throws -> (id: UUID, place: String)? {
        let (id, mark) = try LedgerFile(path: path).inspectWithMark()
        guard case .moved(let place) = mark else {
            return nil
        }
        return (id, place)
    }
}
