public import Foundation

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
