public import Foundation

/// A request to buy a product (https://developer.apple.com/documentation/storekit/skpayment).
///
/// Two payments with the same values are equal, but they are separate purchases: every
/// ``SKPaymentQueue/add(_:)-(SKPayment)`` buys once.
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    /// The payment's values, without the discount.
    var values = PaymentValues()
    var discount: SKPaymentDiscount?

    /// Creates an empty payment, which no queue accepts.
    public override init() {
        super.init()
    }

    /// Creates a payment for one unit of a product
    /// (https://developer.apple.com/documentation/storekit/skpayment/init(product:)).
    public convenience init(product: SKProduct) {
        self.init()
        values.productIdentifier = product.productIdentifier
    }

    convenience init(values: PaymentValues) {
        self.init()
        self.values = values
        discount = values.discount.map { SKPaymentDiscount(values: $0) }
    }

    /// The product to buy (https://developer.apple.com/documentation/storekit/skpayment/productidentifier).
    open var productIdentifier: String { values.productIdentifier }

    /// Reserved: a payment that sets it fails with ``SKError/unauthorizedRequestData``
    /// (https://developer.apple.com/documentation/storekit/skpayment/requestdata).
    open var requestData: Data? { values.requestData }

    /// The quantity, 1 to 10 (https://developer.apple.com/documentation/storekit/skpayment/quantity).
    open var quantity: Int { values.quantity }

    /// The application's name for the buying user, which the queue keeps
    /// (https://developer.apple.com/documentation/storekit/skpayment/applicationusername).
    open var applicationUsername: String? { values.applicationUsername }

    /// Whether the simulated store asks for approval first, as Ask to Buy does
    /// (https://developer.apple.com/documentation/storekit/skpayment/simulatesasktobuyinsandbox).
    open var simulatesAskToBuyInSandbox: Bool { values.simulatesAskToBuyInSandbox }

    /// The offer that the payment uses (https://developer.apple.com/documentation/storekit/skpayment/paymentdiscount).
    open var paymentDiscount: SKPaymentDiscount? { discount }

    /// Returns an immutable payment with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(values: snapshot)
    }

    /// Returns an ``SKMutablePayment`` with the same values.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(values: snapshot)
    }

    /// Whether the other object is a payment with the same values.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment).map { $0.snapshot == snapshot } ?? false
    }

    open override var hash: Int { snapshot.hashValue }

    /// The current values, read from the properties because a subclass may override them.
    var snapshot: PaymentValues {
        PaymentValues(
            productIdentifier: productIdentifier,
            requestData: requestData,
            quantity: quantity,
            applicationUsername: applicationUsername,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox,
            discount: paymentDiscount?.snapshot
        )
    }
}
