public import FoundationEssentials

/// That a purchase was taken back, all of it or a part.
public struct Revocation: Hashable, Sendable {
    /// Why, by the App Store's numbers
    /// (https://developer.apple.com/documentation/appstoreserverapi/revocationreason).
    public enum Reason: Int, Hashable, Sendable, CaseIterable {
        case other = 0
        /// An issue of the application's own, real or perceived.
        case applicationIssue = 1
    }

    /// Of the last part that was taken back.
    public var date: Date
    public var reason: Reason
    /// How many of the payment's quantity were taken back in all; at least 1.
    public var quantity: Int

    public init(date: Date, reason: Reason, quantity: Int) {
        self.date = date
        self.reason = reason
        self.quantity = quantity
    }
}
