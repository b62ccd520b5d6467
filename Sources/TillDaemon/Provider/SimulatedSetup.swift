import Logging
import TillEngine
import TillModel
import TillPostgres
import TillProviders

/// The simulated provider's record: in the state directory, or in the database whose ledger hosts share.
enum SimulatedSetup {
    /// Opens the record. What a daemon that had the ledger alone has recorded in the state directory becomes the hosts' once.
    ///
    /// - Throws: `failedPrecondition` for a daemon that is alone while the record is that of hosts.
    static func provider(
        of opened: OpenLedger,
        in state: StateDirectory,
        _ faults: SimulatedFaults,
        _ time: any TimeSource,
        _ logger: Logger
    ) async throws -> SimulatedProvider {
        if case .database(let ledger) = opened, ledger.isShared {
            let store = ledger.makeSimulatedStore()
            if try await adopt(state, store) {
                logger.notice("The simulated provider's record was moved from the state directory to the database")
            }
            return SimulatedProvider(store: store, faults: faults, time: time)
        }
        if case .database(let ledger) = opened, try await ledger.hasSimulatedRecord() {
            throw TillError(
                .failedPrecondition,
                """
                The simulated provider's record is in the database, because hosts have shared the ledger: start the daemon \
                with --host, or move the ledger with tilld migrate.
                """
            )
        }
        return try SimulatedProvider(directory: state.path, faults: faults, time: time)
    }

    private static func adopt(_ state: StateDirectory, _ store: PostgresSimulatedStore) async throws -> Bool {
        let entries = try SimulatedRecord.entries(in: state.path)
        guard !entries.isEmpty else {
            return false
        }
        try await store.adopt(entries)
        try SimulatedRecord.markMoved(in: state.path)
        return true
    }
}
