import FoundationEssentials
import TillModel

/// How purchases end.
extension Purchasing {
    /// Ends a purchase as purchased.
    ///
    /// - Parameter owned: The purchase that makes it free of charge.
    func grant(
        _ purchase: Purchase,
        ownedBy owned: OriginalRecord?,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        var purchase = purchase
        let product = catalogue.soldProduct(purchase.transaction.payment.productID)
        try end(&purchase, of: product, ownedBy: owned, context)
        let isSubscription = product?.subscription != nil
        guard isSubscription || purchase.transaction.productType == .autoRenewableSubscription else {
            let transaction = try completion.save(
                purchase.transaction,
                in: purchase.queue,
                signedAhead: purchase.signedAhead,
                &context
            )
            try store(purchase.charge, of: transaction, &context)
            return transaction
        }
        // The subscription refers to the transaction, and the transaction to the subscription.
        var transaction = try store(purchase, &context)
        if let product, isSubscription {
            try subscriptions.grant(&transaction, product: product, charge: purchase.charge, &context)
        } else {
            try refunding.giveBackAll(transaction, context)
        }
        try completion.complete(&transaction, in: purchase.queue, &context)
        return transaction
    }

    /// Marks the transaction as purchased, with the facts of its receipt, and settles its charge.
    private func end(
        _ purchase: inout Purchase,
        of product: Product?,
        ownedBy owned: OriginalRecord?,
        _ context: CommandContext
    ) throws {
        // A receipt that was signed ahead of this commit has the date of the purchase.
        let date = purchase.signedAhead?.facts.transaction.purchasedAt ?? context.now
        let transaction = purchase.transaction
        if let owned {
            let period = try product?.subscription.flatMap {
                try context.ledger.subscription(toGroup: $0.groupID, in: transaction.queue)?.latestKey
            }
            let sale = product.map {
                SaleRecord(amount: 0, currency: $0.price.currency, storefront: catalogue.storefront)
            }
            purchase.transaction.repeatPurchase(period ?? owned.key, of: owned, for: sale, at: date)
        } else {
            purchase.transaction.purchase(of: transaction.productType ?? product?.type ?? .consumable, at: date)
            purchase.transaction.sale = transaction.sale ?? purchase.charge.flatMap(SaleRecord.init)
        }
        if purchase.charge?.state.isSettled == false {
            purchase.charge?.state = .unneeded
        }
    }

    /// Ends a purchase that was not charged.
    func fail(_ purchase: Purchase, _ error: PaymentError, _ context: inout CommandContext) throws -> TransactionRecord
    {
        var purchase = purchase
        purchase.transaction.fail(error)
        purchase.charge?.state = .unneeded
        context.effects.requestsChanged = true
        return try store(purchase, &context)
    }

    /// What a request to cancel a payment leads to.
    enum Cancellation {
        /// The payment has failed, as cancelled.
        case ended(TransactionRecord)
        /// It waits for its payer: the provider has to withdraw the charge first.
        case toWithdraw(ChargeRecord)
    }

    /// Cancels a payment that has not been charged.
    func cancel(_ id: UUID, in name: QueueName, _ context: inout CommandContext) throws
        -> Result<Cancellation, TillError>
    {
        guard let transaction = try context.ledger.transaction(id),
            let purchase = try purchase(of: transaction, context), purchase.queue.name == name
        else {
            return .failure(TillError(.notFound, "The queue has no payment \(id.text)."))
        }
        if transaction.error?.reason == .withdrawn {
            return .success(.ended(transaction))
        }
        if let charge = purchase.charge, charge.isWithdrawable(for: transaction) {
            return .success(.toWithdraw(charge))
        }
        if let error = Self.refusal(toCancel: purchase) {
            return .failure(error)
        }
        try Self.noteCancellation(of: transaction.key, in: name, context)
        return .success(.ended(try fail(purchase, Self.withdrawn, &context)))
    }

    static func noteCancellation(of key: Int64, in name: QueueName, _ context: CommandContext) throws {
        try context.note(key, by: name.account, "cancelled by the application")
    }

    private static func refusal(toCancel purchase: Purchase) -> TillError? {
        let id = purchase.transaction.id.text
        guard !purchase.transaction.state.isFinal else {
            return TillError(.failedPrecondition, "The payment \(id) is already \(purchase.transaction.state).")
        }
        guard purchase.charge?.state != .open else {
            return TillError(.failedPrecondition, "The payment \(id) is being charged and cannot be cancelled.")
        }
        return nil
    }

    static let withdrawn = PaymentError(
        .paymentCancelled,
        "The application cancelled the payment.",
        reason: .withdrawn
    )

    /// Fails a payment that nobody has answered in time. If the clock was set back, the wait begins again.
    func expire(_ key: Int64, _ context: inout CommandContext) throws {
        guard var transaction = try context.ledger.transaction(key: key), !transaction.state.isFinal,
            let deadline = transaction.deadline
        else {
            return
        }
        let longest = context.now.addingTimeInterval(configuration.deadlines.longest.timeInterval)
        guard deadline <= longest else {
            transaction.deadline = longest
            try context.note(key, "the clock was set back, or waits are shorter now: the wait begins again")
            _ = try context.save(transaction)
            return
        }
        guard deadline <= context.now, let purchase = try purchase(of: transaction, context) else {
            return
        }
        try context.note(key, "nobody answered in time")
        _ = try fail(purchase, Self.expired(transaction.blocker), &context)
    }

    private static func expired(_ blocker: Blocker?) -> PaymentError {
        let message =
            switch blocker {
            case .approval: "Nobody approved the purchase in time."
            case .resolution: "The interruption of the purchase was not resolved in time."
            default: "Nobody answered the question for consent in time."
            }
        return PaymentError(.paymentCancelled, message, reason: .expired)
    }

    /// Ends a purchase with the provider's answer to its charge.
    func settle(_ purchase: Purchase, _ outcome: DefiniteOutcome, _ context: inout CommandContext) throws {
        var purchase = purchase
        if purchase.transaction.blocker == .payerAction {
            context.effects.requestsChanged = true
        }
        if let error = outcome.error {
            purchase.transaction.fail(error)
            _ = try store(purchase, &context)
        } else {
            _ = try grant(purchase, ownedBy: nil, &context)
        }
        if let exclusiveGroup = purchase.charge?.exclusiveGroup {
            try releaseWaiting(exclusiveGroup, in: purchase.queue, &context)
        }
    }
}

extension ChargeRecord {
    /// Whether it waits for the payer of its transaction, so that it can be withdrawn: it was prepared, and no money moves
    /// unless the payer acts.
    func isWithdrawable(for transaction: TransactionRecord) -> Bool {
        state == .open && reference != nil && transaction.blocker == .payerAction
    }
}
