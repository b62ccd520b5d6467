public import Foundation
import TillModel

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

/// A payment that can be changed until it is added
/// (https://developer.apple.com/documentation/storekit/skmutablepayment).
///
/// A queue copies the payment that is added; later changes do not affect it.
open class SKMutablePayment: SKPayment {
    /// The product to buy (https://developer.apple.com/documentation/storekit/skmutablepayment/productidentifier).
    open override var productIdentifier: String {
        get { values.productIdentifier }
        set { values.productIdentifier = newValue }
    }

    /// Reserved: must be nil, or the payment fails
    /// (https://developer.apple.com/documentation/storekit/skmutablepayment/requestdata).
    open override var requestData: Data? {
        get { values.requestData }
        set { values.requestData = newValue }
    }

    /// The quantity, 1 to 10 (https://developer.apple.com/documentation/storekit/skmutablepayment/quantity).
    open override var quantity: Int {
        get { values.quantity }
        set { values.quantity = newValue }
    }

    /// The application's name for the buying user
    /// (https://developer.apple.com/documentation/storekit/skmutablepayment/applicationusername).
    open override var applicationUsername: String? {
        get { values.applicationUsername }
        set { values.applicationUsername = newValue }
    }

    /// Whether the simulated store asks for approval first
    /// (https://developer.apple.com/documentation/storekit/skmutablepayment/simulatesasktobuyinsandbox).
    open override var simulatesAskToBuyInSandbox: Bool {
        get { values.simulatesAskToBuyInSandbox }
        set { values.simulatesAskToBuyInSandbox = newValue }
    }

    /// The offer to use (https://developer.apple.com/documentation/storekit/skmutablepayment/paymentdiscount).
    open override var paymentDiscount: SKPaymentDiscount? {
        get { discount }
        set { discount = newValue }
    }
}

/// The values of a payment, which determine equality.
struct PaymentValues: Hashable {
    var productIdentifier = ""
    var requestData: Data?
    var quantity = 1
    var applicationUsername: String?
    var simulatesAskToBuyInSandbox = false
    var discount: DiscountValues?
}

extension SKPayment {
    convenience init(_ payment: Payment) {
        self.init(
            values: PaymentValues(
                productIdentifier: payment.productID,
                requestData: payment.requestData.map { Data($0) },
                quantity: payment.quantity,
                applicationUsername: payment.applicationUsername,
                simulatesAskToBuyInSandbox: payment.simulatesAskToBuyInSandbox,
                discount: payment.discount.map { DiscountValues($0) }
            )
        )
    }
}

extension Payment {
    /// Creates a new payment with the same values.
    init(_ values: PaymentValues) {
        self.init(
            productID: values.productIdentifier,
            quantity: values.quantity,
            applicationUsername: values.applicationUsername,
            requestData: values.requestData.map { Array($0) },
            discount: values.discount.map { PaymentDiscount($0) },
            simulatesAskToBuyInSandbox: values.simulatesAskToBuyInSandbox
        )
    }
}

extension DiscountValues {
    fileprivate init(_ discount: PaymentDiscount) {
        self.init(
            identifier: discount.identifier,
            keyIdentifier: discount.keyIdentifier,
            nonce: discount.nonce,
            signature: discount.signature,
            timestamp: discount.timestamp.millisecondsSince1970
        )
    }
}

extension PaymentDiscount {
    fileprivate init(_ values: DiscountValues) {
        self.init(
            identifier: values.identifier,
            keyIdentifier: values.keyIdentifier,
            nonce: values.nonce,
            signature: values.signature,
            timestamp: Date(millisecondsSince1970: values.timestamp)
        )
    }
}
