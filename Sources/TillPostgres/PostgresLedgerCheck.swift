import NIOConcurrencyHelpers
package import TillEngine
import TillModel
import TillProviders
import TillSQL

/// Reads a ledger in a PostgreSQL database, to find damage. It changes nothing.
package final class PostgresLedgerCheck: Sendable {
    /// Findings of a check, at most.
    private static let findingsMaximum = 100

    private let connection: NIOLockedValueBox<PostgresConnection>
    private let memory = LedgerMemory(logger: nil)

    /// Connects.
    ///
    /// - Throws: `unavailable` without a connection, `notFound` without a ledger, `failedPrecondition` for a ledger of another
    ///   version, one that was moved, and one that the session's role may not read.
    package convenience init(_ address: PostgresAddress) throws {
        try self.init(address: address.text, schema: PostgresLedger.defaultSchema)
    }

    init(address: String, schema: String) throws {
        let connection = try PostgresConnection(to: address, schema: schema)
        try PostgresSchema.requireLedger(schema, at: address, connection)
        self.connection = NIOLockedValueBox(connection)
    }

    /// Reads all rows of transactions: how many there are, and a sentence for each place where they disagree with each other.
    package func rows() throws -> (count: Int, findings: [String]) {
        try transaction { connection in
            let rows = memory.makeReader(on: connection)
            let count = try connection.text("SELECT CAST(count(*) AS text) FROM transactions").flatMap { Int($0) } ?? 0
            do {
                let found = try rows.disagreements(limit: Self.findingsMaximum)
                return (count, found.map { "The ledger is damaged: \($0)." })
            } catch let error as TillError where error.code == .dataLoss {
                return (count, [error.message])
            }
        }
    }

    /// How many charges the simulated provider's record has in the database.
    ///
    /// - Throws: `dataLoss` for an entry that cannot be read.
    package func simulatedChargeCount() throws -> Int {
        try transaction { SimulatedBook(try $0.simulatedEntries.all()).charges.count }
    }

    /// Runs `work` on one state of everything committed so far.
    package func read<Value: Sendable>(_ work: @Sendable (any LedgerReader) throws -> Value) throws -> Value {
        try transaction { try work(memory.makeReader(on: $0)) }
    }

    private func transaction<Value: Sendable>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        try connection.withLockedValue { connection in
            do {
                return try connection.inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                    try body(connection)
                }
            } catch let error as PostgresConnectionLost {
                throw TillError(.unavailable, error.description, cause: error)
            }
        }
    }
}
