public import Foundation
import TillEngine
import TillModel

/// What Apple's sessions cannot do.
extension SKTestSession {
    /// The time by the session's clock, which runs as fast as the machine's.
    public var now: Date {
        server.time.now()
    }

    /// Advances the session's clock, and returns once everything that is due by then is done: renewals, expiries,
    /// attempts to bill, answers that nobody gave in time.
    ///
    /// - Parameter interval: More than 0, at most 7320 days of 86,400 s, which are 20 years.
    /// - Throws: ``SKTestError/Code/invalidAction`` for any other.
    public func advanceClock(by interval: TimeInterval) throws {
        guard interval > 0, interval <= ClockReading.advanceMaximum / .seconds(1) else {
            throw SKTestError(
                .invalidAction,
                "Invalid interval: advance the clock by more than 0 s and at most 7320 days."
            )
        }
        try server.performAndSettle { try await $0.moveClock(by: .seconds(interval), by: SessionServer.identity) }
    }

    /// Ends the session's server as if it crashed: connections break, nobody can connect, and what it was at is left as
    /// it is. Transactions and settings stay. Most calls throw until ``restartServer()``.
    public func killServer() throws {
        try server.kill()
    }

    /// Starts a server that was killed; it goes on with everything that is under way.
    public func restartServer() throws {
        try server.restart()
    }

    /// Breaks all connections; clients may connect again at once.
    public func dropConnections() throws {
        try server.dropConnections()
    }

    /// Has the payment provider do wrong what these say, from now on; of those that a call meets, the first counts.
    /// They take the place of the faults before, and their counts begin anew.
    ///
    /// - Parameter seed: What faults with a probability are drawn from: the same calls with the same seed fail again.
    public func simulate(_ faults: [SKTestFault], seed: UInt64 = 0) {
        server.provider.follow(FaultPlan(faults, seed: seed))
    }
}
