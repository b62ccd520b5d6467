/// The reason a purchasing or deferred transaction is waiting.
public enum Blocker: Int, Hashable, Sendable, CaseIterable {
    /// The provider's answer to a charge.
    case provider = 1
    /// Another payment for the same product, which can be bought only once.
    case otherPayment = 2
    /// The user's consent, which an authorisation agent asks for.
    case authorization = 3
    /// The approval of the buyer's approver: Ask to Buy
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransactionstate/deferred).
    case approval = 4
    /// The resolution of an interruption outside the application, for example changed terms.
    case resolution = 5
}
