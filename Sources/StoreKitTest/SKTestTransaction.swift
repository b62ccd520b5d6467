public import Foundation
public import StoreKit
import TillEngine
import TillModel

/// A snapshot of a session's transaction (https://developer.apple.com/documentation/storekittest/sktesttransaction).
public final class SKTestTransaction: NSObject, Sendable {
    /// Whether the transaction's subscription will renew.
    public let autoRenewingEnabled: Bool
    /// The date of the refund or revocation.
    public let cancelDate: Date?
    /// The end of the period that it paid for.
    public let expirationDate: Date?
    /// Whether it is waiting for ``SKTestSession/resolveIssueForTransaction(identifier:)``.
    public let hasPurchaseIssue: Bool
    /// The same number as the `transactionIdentifier` of an `SKPaymentTransaction`.
    public let identifier: UInt
    /// The identifier of the first purchase, or its own if it is the first.
    public let originalTransactionIdentifier: UInt
    /// Whether it is waiting for approval.
    public let pendingAskToBuyConfirmation: Bool
    public let productIdentifier: String
    /// The date of the purchase; for a renewal, the start of its period.
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
