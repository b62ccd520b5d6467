public import FoundationEssentials

/// The full or partial refund or revocation of a purchase.
public struct Revocation: Hashable, Sendable {
    /// The reason, by the App Store's numbers
    /// (https://developer.apple.com/documentation/appstoreserverapi/revocationreason).
    public enum Reason: Int, Hashable, Sendable, CaseIterable {
        case other = 0
        /// An actual or perceived issue of the application.
        case applicationIssue = 1
    }

    /// The date of the latest revocation.
    public var date: Date
    public var reason: Reason
    /// The total revoked quantity; at least 1.
    public var quantity: Int

    public init(date: Date, reason: Reason, quantity: Int) {
        self.date = date
        self.reason = reason
        self.quantity = quantity
    }
}
