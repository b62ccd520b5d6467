import TillEngine

extension ChargeRecord {
    static let selection = """
        SELECT transaction_key, queue, payment_id, application, account, product_id, quantity, amount, currency, state,
            attempts, created_at, due_at, reference
        FROM charges
        """

    init(_ columns: inout Columns) throws {
        self.init(
            transactionKey: try columns.integer(),
            queue: try columns.integer(),
            request: try ChargeRequest(&columns),
            state: try columns.value(State.self),
            attempts: try columns.int(),
            createdAt: try columns.date(),
            dueAt: try columns.date(),
            reference: try columns.textIfPresent()
        )
    }

    var values: [SQLValue] {
        [
            SQLValue(transactionKey), SQLValue(queue), SQLValue(request.paymentID), SQLValue(request.application),
            SQLValue(request.account), SQLValue(request.productID), SQLValue(request.quantity),
            SQLValue(request.amount), SQLValue(request.currency), SQLValue(state.rawValue), SQLValue(attempts),
            SQLValue(createdAt), SQLValue(dueAt), SQLValue(reference),
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
