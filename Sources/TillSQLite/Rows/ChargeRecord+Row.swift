import TillEngine
import TillModel

extension ChargeRecord {
    static let selection = """
        SELECT key, transaction_key, subscription_key, queue, exclusivity, payment_id, application, account, product_id,
            quantity, amount, currency, amount_after_offer,
            renewal_offer_type, renewal_offer_id, renewal_offer_mode, state, attempts, created_at, due_at, reference
        FROM charges
        """

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            transactionKey: try columns.integerIfPresent(),
            subscriptionKey: try columns.integerIfPresent(),
            queue: try columns.integer(),
            exclusiveGroup: try columns.textIfPresent(),
            request: try ChargeRequest(&columns),
            amountAfterOffer: try columns.integerIfPresent(),
            renewalOffer: try AppliedOffer(ifPresentIn: &columns),
            state: try columns.value(State.self),
            attempts: try columns.int(),
            createdAt: try columns.date(),
            dueAt: try columns.date(),
            reference: try columns.textIfPresent()
        )
    }

    /// The columns that may change.
    static let changingColumns = [
        "transaction_key", "state", "attempts", "created_at", "due_at", "reference", "amount", "currency",
        "amount_after_offer",
    ]

    /// The values of ``changingColumns``.
    var changingValues: [SQLValue] {
        [
            SQLValue(transactionKey), SQLValue(state.rawValue), SQLValue(attempts), SQLValue(createdAt),
            SQLValue(dueAt), SQLValue(reference), SQLValue(request.amount), SQLValue(request.currency),
            SQLValue(amountAfterOffer),
        ]
    }

    /// The values of the columns from `transaction_key` on.
    var values: [SQLValue] {
        [
            SQLValue(transactionKey), SQLValue(subscriptionKey), SQLValue(queue), SQLValue(exclusiveGroup),
            SQLValue(request.paymentID), SQLValue(request.application), SQLValue(request.account),
            SQLValue(request.productID), SQLValue(request.quantity), SQLValue(request.amount),
            SQLValue(request.currency), SQLValue(amountAfterOffer),
        ] + AppliedOffer.values(renewalOffer) + [
            SQLValue(state.rawValue), SQLValue(attempts), SQLValue(createdAt), SQLValue(dueAt), SQLValue(reference),
        ]
    }
}

extension ChargeRequest {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            paymentID: try columns.uuid(),
            application: try columns.text(),
            account: try columns.text(),
            productID: try columns.text(),
            quantity: try columns.int(),
            amount: try columns.integer(),
            currency: try columns.text()
        )
    }
}
