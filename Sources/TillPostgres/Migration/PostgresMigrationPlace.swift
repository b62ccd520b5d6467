import FoundationEssentials
import TillModel
package import TillSQL

/// A database that has a ledger or gets one. No daemon can use the ledger while this exists.
package final class PostgresMigrationPlace: MigrationPlace {
    package let name: String
    private let schema: String
    private let connection: PostgresConnection

    /// Connects, and takes the lock that a daemon has.
    ///
    /// - Throws: `unavailable` without a connection; otherwise as ``PostgresLedger/init(address:schema:logger:)``.
    package init(_ address: PostgresAddress, schema: String = PostgresLedger.defaultSchema) throws {
        name = address.text
        self.schema = schema
        connection = try PostgresConnection(to: address.text, schema: schema)
        try connection.checkServer()
        try connection.lockLedger(schema)
        // While the other place reads or writes, this session is idle.
        try connection.execute("SET idle_in_transaction_session_timeout TO 0")
    }

    package func standing() throws -> LedgerStanding {
        try explained {
            guard try connection.hasTable("meta", in: schema) else {
                return .missing
            }
            let mark = try PostgresSchema.checkedMark(connection)
            let id = try connection.identity()
            return mark.map { .marked(id, $0) } ?? .usable(id)
        }
    }

    package func read<Value>(_ body: (any MigratingConnection) throws -> Value) throws -> Value {
        try explained {
            try connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                let version = try connection.schemaVersion()
                guard version == PostgresSchema.version else {
                    throw TillError(
                        .failedPrecondition,
                        """
                        The ledger in PostgreSQL has schema \(version), made by an older Till. Start and stop tilld once, \
                        which brings it up to schema \(PostgresSchema.version).
                        """
                    )
                }
                return try body(connection)
            }
        }
    }

    package func replace(_ body: (any MigratingConnection) throws -> Void) throws {
        try explained {
            try connection.inTransaction("BEGIN") {
                if try !connection.hasTable("meta", in: schema) {
                    for statement in PostgresSchema.statements(schema, after: nil) {
                        try connection.execute(statement)
                    }
                }
                try body(connection)
            }
        }
    }

    package func change(_ body: (any MigratingConnection) throws -> Void) throws {
        try explained {
            try connection.inTransaction("BEGIN") { try body(connection) }
        }
    }

    private func explained<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PostgresConnectionLost {
            throw TillError(.unavailable, "\(error.description) Run the command again, which finishes what it began.")
        }
    }
}
