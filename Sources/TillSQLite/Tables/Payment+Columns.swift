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

extension PaymentError {
    /// The columns of an error, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = """
        t.error_code, t.error_message, t.error_money_moved, t.error_retry, t.error_reason, t.error_provider_code
        """
    static let columnCount: CInt = 6

    init?(ifPresentIn columns: inout Columns) throws {
        guard let code = try columns.integerIfPresent() else {
            columns.skip(Self.columnCount - 1)
            return nil
        }
        guard let code = Int(exactly: code) else {
            throw columns.unreadable()
        }
        self.init(
            Code(rawValue: code),
            try columns.text(),
            moneyMoved: try columns.value(MoneyMoved.self),
            retry: try columns.value(RetrySafety.self),
            reason: try columns.value(FailureReason.self),
            providerCode: try columns.textIfPresent()
        )
    }

    static func values(_ error: PaymentError?) -> [SQLValue] {
        [
            SQLValue(error?.code.rawValue), SQLValue(error?.message), SQLValue(error?.moneyMoved.rawValue),
            SQLValue(error?.retry.rawValue), SQLValue(error?.reason.rawValue), SQLValue(error?.providerCode),
        ]
    }
}

extension AppliedOffer {
    /// The columns of an offer, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = "t.offer_type, t.offer_id, t.offer_mode"

    init?(ifPresentIn columns: inout Columns) throws {
        guard let type = try columns.valueIfPresent(SubscriptionOffer.OfferType.self) else {
            columns.skip(2)
            return nil
        }
        self.init(
            type: type,
            id: try columns.textIfPresent(),
            paymentMode: try columns.value(SubscriptionOffer.PaymentMode.self)
        )
    }

    static func values(_ offer: AppliedOffer?) -> [SQLValue] {
        [SQLValue(offer?.type.rawValue), SQLValue(offer?.id), SQLValue(offer?.paymentMode.rawValue)]
    }
}
