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

/// A country in which the store sells (https://developer.apple.com/documentation/storekit/skstorefront).
// Its stored properties are constants of Sendable types.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let fields: (countryCode: String, identifier: String)

    /// Creates a storefront without a country.
    public override init() {
        fields = ("", "")
        super.init()
    }

    init(countryCode: String, identifier: String) {
        fields = (countryCode, identifier)
        super.init()
    }

    /// The country code in ISO 3166-1 alpha-3
    /// (https://developer.apple.com/documentation/storekit/skstorefront/countrycode).
    open var countryCode: String { fields.countryCode }

    /// The store's identifier of the storefront
    /// (https://developer.apple.com/documentation/storekit/skstorefront/identifier).
    open var identifier: String { fields.identifier }
}

extension NSNotification.Name {
    /// Posted to the default centre, without an object, when the storefront has changed; observers of a queue receive
    /// `paymentQueueDidChangeStorefront(_:)`
    /// (https://developer.apple.com/documentation/foundation/nsnotification/name/skstorefrontcountrycodedidchange).
    public static let SKStorefrontCountryCodeDidChange =
        NSNotification.Name("SKStorefrontCountryCodeDidChangeNotification")
}
