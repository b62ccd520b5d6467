/// What a transaction that is purchasing or deferred waits for.
public enum Blocker: Int, Hashable, Sendable, CaseIterable {
    /// The provider's answer to a charge.
    case provider = 1
    /// Another payment for the same product, which is bought once.
    case otherPayment = 2
    /// The user's consent, which an authorisation agent asks for.
    case authorization = 3
    /// The approval of who answers for the buyer: Ask to Buy
    /// (https://developer.apple.com/documentation/storekit/skpaymenttransactionstate/deferred).
    case approval = 4
    /// What interrupted the purchase, for example changed terms, to be resolved outside the application.
    case resolution = 5
}
