/// The callbacks of `SKPaymentTransactionObserver` by their names
/// (https://developer.apple.com/documentation/storekit/skpaymenttransactionobserver), and one of our own.
enum Callback: String, Hashable, Sendable, CaseIterable {
    case updatedTransactions = "paymentQueue(_:updatedTransactions:)"
    case removedTransactions = "paymentQueue(_:removedTransactions:)"
    case revokedEntitlements = "paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)"
    case storePaymentRequested = "paymentQueue(_:shouldAddStorePayment:for:)"
    case storefrontChanged = "paymentQueueDidChangeStorefront(_:)"
    case updatedDownloads = "paymentQueue(_:updatedDownloads:)"
    case restoreFinished = "paymentQueueRestoreCompletedTransactionsFinished(_:)"
    case restoreFailed = "paymentQueue(_:restoreCompletedTransactionsFailedWithError:)"
    /// Beyond StoreKit: everything unfinished has been delivered.
    case initialDeliveryEnded = "paymentQueueInitialDeliveryEnded(_:)"
}
