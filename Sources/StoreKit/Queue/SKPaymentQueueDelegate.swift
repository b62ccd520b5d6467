public import Foundation

/// Makes decisions for a queue (https://developer.apple.com/documentation/storekit/skpaymentqueuedelegate).
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a transaction continues after the storefront has changed. It counts as true if it is not implemented,
    /// and as false if it takes longer than a second
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueuedelegate/paymentqueue(_:shouldcontinue:in:)).
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool

    /// Whether the user may be asked now to agree to a higher price; true if it is not implemented
    /// (https://developer.apple.com/documentation/storekit/skpaymentqueuedelegate/paymentqueueshouldshowpriceconsent(_:)).
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue,
        shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        true
    }

    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        true
    }
}
