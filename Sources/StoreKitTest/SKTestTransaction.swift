public import Foundation
public import StoreKit
import TillEngine
import TillModel

/// A transaction of a session as it was when the session was asked
/// (https://developer.apple.com/documentation/storekittest/sktesttransaction).
public final class SKTestTransaction: NSObject, Sendable {
    /// Whether the subscription that it paid for will renew.
    public let autoRenewingEnabled: Bool
    /// When it was refunded or revoked.
    public let cancelDate: Date?
    /// When the period that it paid for ends.
    public let expirationDate: Date?
    /// Whether it waits for ``SKTestSession/resolveIssueForTransaction(identifier:)``.
    public let hasPurchaseIssue: Bool
    /// The number that is the `transactionIdentifier` of an `SKPaymentTransaction`.
    public let identifier: UInt
    /// That of the first purchase; its own when it is the first.
    public let originalTransactionIdentifier: UInt
    /// Whether it waits to be approved or declined.
    public let pendingAskToBuyConfirmation: Bool
    public let productIdentifier: String
    /// When it was bought; of a renewal, when its period begins.
    public let purchaseDate: Date
    public let state: SKPaymentTransactionState
    /// Whether the subscriber was asked to agree to a higher price and has not answered.
    public let isPendingPriceIncreaseConsent: Bool

    init(_ record: TransactionRecord, subscription: SubscriptionRecord?, numbering: IdentifierNumbering) {
        let isLatest = subscription?.latestKey == record.key
        let isUnpaid = subscription?.state == .inBillingRetryPeriod || subscription?.state == .inGracePeriod
        autoRenewingEnabled = subscription.map { $0.willRenew && !$0.hasEnded } ?? false
        cancelDate = record.revocation?.date
        expirationDate = record.term?.end
        hasPurchaseIssue = record.isInterrupted || record.blocker == .resolution || (isLatest && isUnpaid)
        identifier = UInt(clamping: numbering.number(ofKey: record.key))
        originalTransactionIdentifier = UInt(clamping: numbering.number(ofKey: record.asOriginal.key))
        pendingAskToBuyConfirmation = record.blocker == .approval
        productIdentifier = record.payment.productID
        purchaseDate = record.term?.start ?? record.purchaseDate
        state = SKPaymentTransactionState(rawValue: record.state.rawValue) ?? .purchasing
        isPendingPriceIncreaseConsent = isLatest && subscription?.priceConsent == .pending
        super.init()
    }
}
