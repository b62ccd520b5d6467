import Foundation
import TillModel

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
