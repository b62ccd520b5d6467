public import Foundation

/// A payment that can be changed until it is added
/// (https://developer.apple.com/documentation/storekit/skmutablepayment).
///
/// A queue copies the payment that is added; later changes do not affect it.
open class SKMutablePayment: SKPayment {
    /// The product to buy (https://developer.apple.com/documentation/storekit/skmutablepayment/productidentifier).
    open override var productIdentifier: String {
        get { fields.productIdentifier }
        set { fields.productIdentifier = newValue }
    }

    /// Reserved: must be nil, or the payment fails
    /// (https://developer.apple.com/documentation/storekit/skmutablepayment/requestdata).
    open override var requestData: Data? {
        get { fields.requestData }
        set { fields.requestData = newValue }
    }

    /// The quantity, 1 to 10 (https://developer.apple.com/documentation/storekit/skmutablepayment/quantity).
    open override var quantity: Int {
        get { fields.quantity }
        set { fields.quantity = newValue }
    }

    /// The application's name for the buying user
    /// (https://developer.apple.com/documentation/storekit/skmutablepayment/applicationusername).
    open override var applicationUsername: String? {
        get { fields.applicationUsername }
        set { fields.applicationUsername = newValue }
    }

    /// Whether the simulated store asks for approval first
    /// (https://developer.apple.com/documentation/storekit/skmutablepayment/simulatesasktobuyinsandbox).
    open override var simulatesAskToBuyInSandbox: Bool {
        get { fields.simulatesAskToBuyInSandbox }
        set { fields.simulatesAskToBuyInSandbox = newValue }
    }

    /// The offer to use (https://developer.apple.com/documentation/storekit/skmutablepayment/paymentdiscount).
    open override var paymentDiscount: SKPaymentDiscount? {
        get { discount }
        set { discount = newValue }
    }
}
