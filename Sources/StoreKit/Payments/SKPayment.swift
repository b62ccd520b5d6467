public import Foundation

/// A request to buy a product (https://developer.apple.com/documentation/storekit/skpayment).
///
/// Two payments that say the same are equal. That makes them no single purchase: every ``SKPaymentQueue/add(_:)-(SKPayment)``
/// is one.
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    /// Without the discount.
    var fields = PaymentFields()
    var discount: SKPaymentDiscount?

    /// An empty payment, which no queue takes.
    public override init() {
        super.init()
    }

    /// A payment for one of a product (https://developer.apple.com/documentation/storekit/skpayment/init(product:)).
    public convenience init(product: SKProduct) {
        self.init()
        fields.productIdentifier = product.productIdentifier
    }

    convenience init(fields: PaymentFields) {
        self.init()
        self.fields = fields
        discount = fields.discount.map { SKPaymentDiscount(fields: $0) }
    }

    /// What is bought (https://developer.apple.com/documentation/storekit/skpayment/productidentifier).
    open var productIdentifier: String { fields.productIdentifier }

    /// Reserved: a payment that sets it fails with ``SKError/unauthorizedRequestData``
    /// (https://developer.apple.com/documentation/storekit/skpayment/requestdata).
    open var requestData: Data? { fields.requestData }

    /// How many are bought, 1 to 10 (https://developer.apple.com/documentation/storekit/skpayment/quantity).
    open var quantity: Int { fields.quantity }

    /// The application's name for the user who buys, which the queue keeps
    /// (https://developer.apple.com/documentation/storekit/skpayment/applicationusername).
    open var applicationUsername: String? { fields.applicationUsername }

    /// Whether the simulated store is to ask for approval first, as Ask to Buy does
    /// (https://developer.apple.com/documentation/storekit/skpayment/simulatesasktobuyinsandbox).
    open var simulatesAskToBuyInSandbox: Bool { fields.simulatesAskToBuyInSandbox }

    /// The offer that the payment makes use of
    /// (https://developer.apple.com/documentation/storekit/skpayment/paymentdiscount).
    open var paymentDiscount: SKPaymentDiscount? { discount }

    /// A payment that says the same and cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(fields: snapshot)
    }

    /// An ``SKMutablePayment`` that says the same.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(fields: snapshot)
    }

    /// Whether the other is a payment that says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment).map { $0.snapshot == snapshot } ?? false
    }

    open override var hash: Int { snapshot.hashValue }

    /// What the payment says now, asked of its properties, which a subclass may override.
    var snapshot: PaymentFields {
        PaymentFields(
            productIdentifier: productIdentifier,
            requestData: requestData,
            quantity: quantity,
            applicationUsername: applicationUsername,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox,
            discount: paymentDiscount?.snapshot
        )
    }
}
