public import Foundation

/// Something that the simulated payment provider does wrong, which Apple's sessions cannot be told.
public struct SKTestFault: Hashable, Sendable {
    /// What the store asks the provider for.
    public enum Operation: Hashable, Sendable, CaseIterable {
        /// To charge for a purchase or for a renewal.
        case charge
        /// To give money back.
        case refund
        /// To allow a restore.
        case restore
    }

    /// Where in the operation it goes wrong.
    public enum Stage: Hashable, Sendable {
        /// The provider says no. A declined purchase fails; a declined renewal is tried again.
        case declined
        /// The call breaks off before anything happened. The store finds that out, and tries again later by the
        /// session's clock. A restore fails.
        case beforeEffect
        /// It happened, and the answer is lost. The store finds that out later by the session's clock. A restore fails.
        case afterEffect
        /// It happens after so many seconds of the session's clock.
        case slow(TimeInterval)
    }

    public var operation: Operation
    public var stage: Stage
    /// Nil for every product. Restores have none.
    public var productIdentifier: String?
    /// Which of the calls for that operation and product, counted from 1 since the fault was set; nil for each of them.
    public var calls: ClosedRange<Int>?
    /// How likely it is for each of these calls, from 0 to 1, drawn from the seed that the faults are set with.
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
