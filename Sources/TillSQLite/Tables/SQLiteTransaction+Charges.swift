import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: ChargeReader {
    func charge(key: Int64) throws -> ChargeRecord? {
        try know(charges("WHERE key = ?1", [SQLValue(key)]))
    }

    func charge(forTransaction key: Int64) throws -> ChargeRecord? {
        try know(charges("WHERE transaction_key = ?1", [SQLValue(key)]))
    }

    func dueCharges(at date: Date, limit: Int) throws -> [ChargeRecord] {
        try charges(
            "WHERE state = 1 AND due_at <= ?1 ORDER BY due_at, key LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    func charges(dueAfter date: Date, limit: Int) throws -> [ChargeRecord] {
        try charges(
            "WHERE state = 1 AND due_at > ?1 ORDER BY due_at DESC, key DESC LIMIT ?2",
            [SQLValue(date), SQLValue(limit: limit)],
            skipsUnreadable: true
        )
    }

    func unsettledCharges(exclusiveGroup: String, in queue: Int64, limit: Int) throws -> [ChargeRecord] {
        try charges(
            "WHERE queue = ?1 AND exclusivity = ?2 AND state IN (0, 1) ORDER BY state DESC, key LIMIT ?3",
            [SQLValue(queue), SQLValue(exclusiveGroup), SQLValue(limit: limit)]
        )
    }

    func chargeInReview(ofSubscription key: Int64) throws -> ChargeRecord? {
        try charges(
            "WHERE state = 5 AND transaction_key IS NULL AND subscription_key = ?1 ORDER BY key LIMIT 1",
            [SQLValue(key)]
        ).first
    }

    func charges(afterKey key: Int64, limit: Int) throws -> [ChargeRecord] {
        try charges("WHERE key > ?1 ORDER BY key LIMIT ?2", [SQLValue(key), SQLValue(limit: limit)])
    }

    private func know(_ found: [ChargeRecord]) -> ChargeRecord? {
        found.first.map { record in
            knownCharges[record.key] = record
            return record
        }
    }

    private func charges(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [ChargeRecord]
    {
        let sql = "\(ChargeRecord.selection) \(condition)"
        return try rows(of: "charges", sql, values, skipsUnreadable: skipsUnreadable, read: ChargeRecord.init)
    }
}

extension SQLiteTransaction: ChargeWriter {
    func insert(_ charge: ChargeRecord) throws -> Int64 {
        var inserted = charge
        inserted.key = try insert(
            """
            INSERT INTO charges (transaction_key, subscription_key, queue, exclusivity, payment_id, application, account,
                product_id, quantity, amount, currency, amount_after_offer, renewal_offer_type, renewal_offer_id,
                renewal_offer_mode, state, attempts, created_at, due_at, reference)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
            """,
            charge.values
        )
        knownCharges[inserted.key] = inserted
        return inserted.key
    }

    func update(_ charge: ChargeRecord) throws {
        try update(
            "charges",
            key: charge.key,
            ChargeRecord.changingColumns,
            from: knownCharges[charge.key]?.changingValues,
            to: charge.changingValues,
            orThrow: "The ledger has no charge \(charge.key)."
        )
        knownCharges[charge.key] = charge
    }
}

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
