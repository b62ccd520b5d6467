import TillEngine
import TillModel

extension RefundRecord {
    static let selection = """
        SELECT id, transaction_key, queue, quantity, amount, currency, reason, state, attempts, created_at, due_at,
            reference, keeps_money
        FROM refunds
        """

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.uuid(),
            transactionKey: try columns.integer(),
            queue: try columns.integer(),
            quantity: try columns.int(),
            amount: try columns.integer(),
            currency: try columns.text(),
            reason: try columns.value(Revocation.Reason.self),
            state: try columns.value(State.self),
            attempts: try columns.int(),
            createdAt: try columns.date(),
            dueAt: try columns.date(),
            reference: try columns.textIfPresent()
        )
        keepsMoney = try columns.flag()
    }

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(transactionKey), SQLValue(queue), SQLValue(quantity), SQLValue(amount),
            SQLValue(currency), SQLValue(reason.rawValue), SQLValue(state.rawValue), SQLValue(attempts),
            SQLValue(createdAt), SQLValue(dueAt), SQLValue(reference),
            SQLValue(keepsMoney),
        ]
    }
}
