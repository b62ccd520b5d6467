import TillModel

extension Payment {
    /// The columns of a payment, in the order of ``init(_:)`` and ``values(_:)``.
    static let columns = """
        t.payment_id, t.product_id, t.quantity, t.application_username, t.request_data, t.simulates_ask_to_buy,
            t.discount_id, t.discount_key_id, t.discount_nonce, t.discount_signature, t.discount_timestamp
        """

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.uuid(),
            productID: try columns.text(),
            quantity: try columns.int(),
            applicationUsername: try columns.textIfPresent(),
            requestData: try columns.bytesIfPresent()
        )
        simulatesAskToBuyInSandbox = try columns.flag()
        discount = try PaymentDiscount(ifPresentIn: &columns)
    }

    static func values(_ payment: Payment?) -> [SQLValue] {
        let discount = payment?.discount
        return [
            SQLValue(payment?.id), SQLValue(payment?.productID), SQLValue(payment?.quantity),
            SQLValue(payment?.applicationUsername), SQLValue(payment?.requestData),
            SQLValue(payment?.simulatesAskToBuyInSandbox), SQLValue(discount?.identifier),
            SQLValue(discount?.keyIdentifier), SQLValue(discount?.nonce), SQLValue(discount?.signature),
            SQLValue(discount?.timestamp),
        ]
    }
}

extension PaymentDiscount {
    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let identifier = try columns.textIfPresent() else {
            columns.skip(4)
            return nil
        }
        self.init(
            identifier: identifier,
            keyIdentifier: try columns.text(),
            nonce: try columns.uuid(),
            signature: try columns.text(),
            timestamp: try columns.date()
        )
    }
}
