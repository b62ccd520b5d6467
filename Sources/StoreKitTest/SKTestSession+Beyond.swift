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
    /// - Parameters:
    ///   - faults: What goes wrong; empty for nothing.
    ///   - seed: The random seed for faults with a probability: with the same seed, the same calls fail again.
    public func simulate(_ faults: [SKTestFault], seed: UInt64 = 0) {
        server.provider.follow(FaultPlan(faults, seed: seed))
    }
}

/// A fault of the simulated payment provider. Apple's sessions cannot simulate such faults.
public struct SKTestFault: Hashable, Sendable {
    /// A request to the provider.
    public enum Operation: Hashable, Sendable, CaseIterable {
        /// Charge for a purchase or a renewal.
        case charge
        /// Refund a charge.
        case refund
        /// Authorise a restore.
        case restore
    }

    /// The point at which the operation fails.
    public enum Stage: Hashable, Sendable {
        /// The provider declines. A declined purchase fails; a declined renewal is retried.
        case declined
        /// The call fails before it takes effect. The store detects this and retries later, by the session's clock. A
        /// restore fails.
        case beforeEffect
        /// The call takes effect but its answer is lost. The store detects this later, by the session's clock. A
        /// restore fails.
        case afterEffect
        /// The call takes effect after this many seconds of the session's clock.
        case slow(TimeInterval)
    }

    public var operation: Operation
    public var stage: Stage
    /// The affected product; nil for every product. Restores have no product.
    public var productIdentifier: String?
    /// The affected calls for this operation and product, counted from 1 since the fault was set; nil for all.
    public var calls: ClosedRange<Int>?
    /// The probability for each of these calls, from 0 to 1, drawn from the seed that the faults are set with.
    public var probability: Double

    public init(
        _ operation: Operation,
        _ stage: Stage,
        productIdentifier: String? = nil,
        calls: ClosedRange<Int>? = nil,
        probability: Double = 1
    ) {
        self.operation = operation
        self.stage = stage
        self.productIdentifier = productIdentifier
        self.calls = calls
        self.probability = probability
    }
}
