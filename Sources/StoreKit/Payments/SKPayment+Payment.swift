import Foundation
import TillModel

extension SKPayment {
    convenience init(_ payment: Payment) {
        self.init(
            fields: PaymentFields(
                productIdentifier: payment.productID,
                requestData: payment.requestData.map { Data($0) },
                quantity: payment.quantity,
                applicationUsername: payment.applicationUsername,
                simulatesAskToBuyInSandbox: payment.simulatesAskToBuyInSandbox,
                discount: payment.discount.map { DiscountFields($0) }
            )
        )
    }
}

extension Payment {
    /// A new payment that says the same.
    init(_ fields: PaymentFields) {
        self.init(
            productID: fields.productIdentifier,
            quantity: fields.quantity,
            applicationUsername: fields.applicationUsername,
            requestData: fields.requestData.map { Array($0) },
            discount: fields.discount.map { PaymentDiscount($0) },
            simulatesAskToBuyInSandbox: fields.simulatesAskToBuyInSandbox
        )
    }
}

extension DiscountFields {
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
    fileprivate init(_ fields: DiscountFields) {
        self.init(
            identifier: fields.identifier,
            keyIdentifier: fields.keyIdentifier,
            nonce: fields.nonce,
            signature: fields.signature,
            timestamp: Date(millisecondsSince1970: fields.timestamp)
        )
    }
}
