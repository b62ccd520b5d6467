import Foundation
import TillModel
import TillPostgres
import TillProviders
package import TillSQL
import TillSQLite

/// Moves the ledger of a stopped daemon from its state directory to a database, or back.
package enum StateMigration {
    /// Where a ledger is kept.
    private enum Place {
        case directory(String)
        case database(PostgresAddress)

        init(_ text: String) throws(TillError) {
            self = PostgresAddress.isAddress(text) ? .database(try PostgresAddress(text)) : .directory(text)
        }
    }

    /// A place with the lock that keeps daemons out of it.
    private struct LockedPlace {
        let place: any MigrationPlace
        /// Nil for a database, whose session has a lock.
        var lock: FileLock?
    }

    /// Moves the ledger, or finishes an interrupted migration. Blocks on the disk and the database.
    ///
    /// - Parameters:
    ///   - from: A state directory, or the address of a database.
    ///   - to: A database's address or a state directory, in which everything but a ledger may be.
    ///   - report: Called now and then while rows are read.
    /// - Throws: `invalidArgument` for places of the same kind and for an address that cannot be used; `unavailable` without
    ///   a connection; `failedPrecondition` while a daemon uses one of them; otherwise as ``LedgerMigration/run()``.
    package static func run(
        from: String,
        to: String,
        report: @escaping (LedgerMigration.Progress) -> Void
    ) throws -> LedgerMigration.Outcome {
        let places = (try Place(from), try Place(to))
        let source: LockedPlace
        let target: LockedPlace
        // A file that is the simulated provider's record stays in its directory, and a host's first start takes it from there.
        var didCopy: () throws -> Void = {}
        switch places {
        case (.directory(let path), .database(let address)):
            source = try locked(StateDirectory(withLedgerAt: path))
            target = LockedPlace(place: try PostgresMigrationPlace(address))
        case (.database(let address), .directory(let path)):
            let database = try PostgresMigrationPlace(address)
            let state = try StateDirectory(path: path)
            source = LockedPlace(place: database)
            target = try locked(state)
            didCopy = { try SimulatedRecord.add(database.simulatedEntries(), in: state.path) }
        case (.directory, .directory), (.database, .database):
            throw TillError(
                .invalidArgument,
                "A ledger moves between a state directory and a PostgreSQL database: name one of each."
            )
        }
        return try withExtendedLifetime((source, target)) {
            try LedgerMigration(from: source.place, to: target.place, report: report, didCopy: didCopy).run()
        }
    }

    private static func locked(_ state: StateDirectory) throws -> LockedPlace {
        let lock = try FileLock(path: state.lockPath, protecting: "The state directory \(state.path)")
        let name = URL(filePath: state.path).standardizedFileURL.path
        return LockedPlace(place: SQLiteMigrationPlace(path: state.ledgerPath, name: name), lock: lock)
    }
}
