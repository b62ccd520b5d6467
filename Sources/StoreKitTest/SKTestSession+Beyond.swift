public import Foundation
import TillEngine
import TillModel

/// Additions to Apple's sessions.
extension SKTestSession {
    /// The time of the session's clock, which runs at the same speed as the machine's clock.
    public var now: Date {
        server.time.now()
    }

    /// Advances the session's clock and returns once everything that is due by then is done: renewals, expirations,
    /// billing attempts and approval timeouts.
    ///
    /// - Parameter interval: Greater than 0 and at most 7320 days of 86,400 s, which is 20 years.
    /// - Throws: ``SKTestError/Code/invalidAction`` for any other interval.
    public func advanceClock(by interval: TimeInterval) throws {
        guard interval > 0, interval <= ClockReading.advanceMaximum / .seconds(1) else {
            throw SKTestError(
                .invalidAction,
                "Invalid interval: advance the clock by more than 0 s and at most 7320 days."
            )
        }
        try server.performAndSettle { try await $0.moveClock(by: .seconds(interval), by: SessionServer.identity) }
    }

    /// Terminates the session's server as if it crashed: connections break, clients cannot connect, and work in
    /// progress is interrupted. Transactions and settings stay. Most calls throw until ``restartServer()``.
    public func killServer() throws {
        try server.kill()
    }

    /// Restarts a killed server; it continues all interrupted work.
    public func restartServer() throws {
        try server.restart()
    }

    /// Closes all connections; clients may reconnect immediately.
    public func dropConnections() throws {
        try server.dropConnections()
    }

    /// Makes the payment provider fail as these faults describe; if several match a call, the first applies. They
    /// replace the previous faults, and their call counts start at 1.
    ///
    /// - Parameter seed: The random seed for faults with a probability: with the same seed, the same calls fail again.
    public func simulate(_ faults: [SKTestFault], seed: UInt64 = 0) {
        server.provider.follow(FaultPlan(faults, seed: seed))
    }
}
