import FoundationEssentials
import TillModel
package import TillProviders
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
            try PostgresSchema.requireNewest(connection.schemaVersion())
            return try connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                try holdFinishes()
                return try body(connection)
            }
        }
    }

    /// The simulated provider's record of hosts that have shared the ledger; none without a ledger.
    package func simulatedEntries() throws -> [SimulatedEntry] {
        try explained {
            guard try connection.hasTable("simulated_entries", in: schema) else {
                return []
            }
            return try connection.simulatedEntries.all()
        }
    }

    /// Keeps applications from finishing transactions in the database until the transaction ends.
    ///
    /// - Throws: `failedPrecondition` if an application does that for longer than ``lockPatience``, and for finishes that no daemon
    ///   has followed.
    private func holdFinishes() throws {
        do {
            try connection.execute("SET LOCAL lock_timeout TO '\(Self.lockPatience)s'")
            // Before the first query, so that the transaction sees what was committed until then.
            try connection.execute("LOCK TABLE finishes IN SHARE MODE")
            try connection.execute("SET LOCAL lock_timeout TO 0")
        } catch let error as TillError where PostgresConnection.isLockNotAvailable(error) {
            throw TillError(
                .failedPrecondition,
                "An application finishes transactions in the database: end the applications that do, and run the command again."
            )
        }
        guard try connection.text("SELECT 'pending' FROM finishes WHERE is_pending = 1 LIMIT 1") == nil else {
            throw TillError(
                .failedPrecondition,
                """
                Applications have finished transactions in the database that are still in their queues: start tilld for a \
                moment, which takes them out.
                """
            )
        }
    }

    /// In seconds.
    private static let lockPatience = 10

    package func replace(_ body: (any MigratingConnection) throws -> Void) throws {
        try explained {
            try connection.inTransaction("BEGIN") {
                // A ledger that this replaces may have been made by an older Till.
                let hasLedger = try connection.hasTable("meta", in: schema)
                let found = hasLedger ? try Int(exactly: LedgerMark.plain(version: connection.schemaVersion())) : nil
                for statement in PostgresSchema.statements(schema, after: found) {
                    try connection.execute(statement)
                }
                // A ledger that comes from a state directory has its record and its content there.
                try connection.execute("DELETE FROM simulated_entries")
                try connection.execute("DELETE FROM host_downloads")
                try body(connection)
            }
        }
    }

    package func change(_ body: (any MigratingConnection) throws -> Void) throws {
        try explained {
            try connection.inTransaction("BEGIN") {
                try holdFinishes()
                try body(connection)
            }
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
