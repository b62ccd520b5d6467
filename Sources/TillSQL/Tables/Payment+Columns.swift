package import TillModel

// Values that a row may have, in columns of their own. All columns are described, and empty without the value.

extension Payment {
    package static func describe(_ coder: inout some ColumnCoder, _ value: Payment?) throws -> Payment? {
        let id = try coder.uuidIfPresent("payment_id", value?.id)
        let productID = try coder.textIfPresent("product_id", value?.productID)
        let quantity = try coder.intIfPresent("quantity", value?.quantity)
        let username = try coder.textIfPresent("application_username", value?.applicationUsername)
        let requestData = try coder.bytesIfPresent("request_data", value?.requestData)
        let simulates = try coder.flagIfPresent("simulates_ask_to_buy", value?.simulatesAskToBuyInSandbox)
        let discount = try PaymentDiscount.describe(&coder, value?.discount)
        guard let id else {
            return nil
        }
        var payment = Payment(
            id: id,
            productID: try coder.required(productID, of: "product_id"),
            quantity: try coder.required(quantity, of: "quantity"),
            applicationUsername: username,
            requestData: requestData
        )
        payment.simulatesAskToBuyInSandbox = try coder.required(simulates, of: "simulates_ask_to_buy")
        payment.discount = discount
        return payment
    }
}

extension PaymentDiscount {
    fileprivate static func describe(_ coder: inout some ColumnCoder, _ value: Self?) throws -> Self? {
        let identifier = try coder.textIfPresent("discount_id", value?.identifier)
        let keyIdentifier = try coder.textIfPresent("discount_key_id", value?.keyIdentifier)
        let nonce = try coder.uuidIfPresent("discount_nonce", value?.nonce)
        let signature = try coder.textIfPresent("discount_signature", value?.signature)
        let timestamp = try coder.dateIfPresent("discount_timestamp", value?.timestamp)
        return try identifier.map { identifier in
            PaymentDiscount(
                identifier: identifier,
                keyIdentifier: try coder.required(keyIdentifier, of: "discount_key_id"),
                nonce: try coder.required(nonce, of: "discount_nonce"),
                signature: try coder.required(signature, of: "discount_signature"),
                timestamp: try coder.required(timestamp, of: "discount_timestamp")
            )
        }
    }
}

extension PaymentError {
    package static func describe(_ coder: inout some ColumnCoder, _ value: Self?) throws -> Self? {
        let code = try coder.intIfPresent("error_code", value?.code.rawValue)
        let message = try coder.textIfPresent("error_message", value?.message)
        let moneyMoved: MoneyMoved? = try coder.choiceIfPresent("error_money_moved", value?.moneyMoved)
        let retry: RetrySafety? = try coder.choiceIfPresent("error_retry", value?.retry)
        let reason: FailureReason? = try coder.choiceIfPresent("error_reason", value?.reason)
        let providerCode = try coder.textIfPresent("error_provider_code", value?.providerCode)
        return try code.map { code in
            PaymentError(
                Code(rawValue: code),
                try coder.required(message, of: "error_message"),
                moneyMoved: try coder.required(moneyMoved, of: "error_money_moved"),
                retry: try coder.required(retry, of: "error_retry"),
                reason: try coder.required(reason, of: "error_reason"),
                providerCode: providerCode
            )
        }
    }
}

extension AppliedOffer {
    /// - Parameter prefix: What the columns' names begin with.
    package static func describe(_ coder: inout some ColumnCoder, _ value: Self?, prefix: String = "offer") throws
        -> Self?
    {
        let type: SubscriptionOffer.OfferType? = try coder.choiceIfPresent("\(prefix)_type", value?.type)
        let id = try coder.textIfPresent("\(prefix)_id", value?.id)
        let mode: SubscriptionOffer.PaymentMode? = try coder.choiceIfPresent("\(prefix)_mode", value?.paymentMode)
        return try type.map { type in
            AppliedOffer(type: type, id: id, paymentMode: try coder.required(mode, of: "\(prefix)_mode"))
        }
    }
}
