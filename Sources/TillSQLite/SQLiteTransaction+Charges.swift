import FoundationEssentials
import TillEngine
import TillModel

extension SQLiteTransaction: ChargeReader {
    func charge(key: Int64) throws -> ChargeRecord? {
        try charges("WHERE key = ?1", [SQLValue(key)]).first
    }

    func charge(forTransaction key: Int64) throws -> ChargeRecord? {
        try charges("WHERE transaction_key = ?1", [SQLValue(key)]).first
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

    func unsettledCharges(exclusivity: String, in queue: Int64, limit: Int) throws -> [ChargeRecord] {
        try charges(
            "WHERE queue = ?1 AND exclusivity = ?2 AND state IN (0, 1) ORDER BY state DESC, key LIMIT ?3",
            [SQLValue(queue), SQLValue(exclusivity), SQLValue(limit: limit)]
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

    private func charges(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [ChargeRecord]
    {
        let sql = "\(ChargeRecord.selection) \(condition)"
        return try rows(of: "charges", sql, values, skipsUnreadable: skipsUnreadable, read: ChargeRecord.init)
    }
}

extension SQLiteTransaction: ChargeWriter {
    func insert(_ charge: ChargeRecord) throws -> Int64 {
        try insert(
            """
            INSERT INTO charges (transaction_key, subscription_key, queue, exclusivity, payment_id, application, account,
                product_id, quantity, amount, currency, amount_after_offer, renewal_offer_type, renewal_offer_id,
                renewal_offer_mode, state, attempts, created_at, due_at, reference)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
            """,
            charge.values
        )
    }

    func update(_ charge: ChargeRecord) throws {
        try change(
            """
            UPDATE charges SET transaction_key = ?1, state = ?2, attempts = ?3, created_at = ?4, due_at = ?5,
                reference = ?6, amount = ?7, currency = ?8, amount_after_offer = ?9
            WHERE key = ?10
            """,
            [
                SQLValue(charge.transactionKey), SQLValue(charge.state.rawValue), SQLValue(charge.attempts),
                SQLValue(charge.createdAt), SQLValue(charge.dueAt), SQLValue(charge.reference),
                SQLValue(charge.request.amount), SQLValue(charge.request.currency), SQLValue(charge.amountAfterOffer),
                SQLValue(charge.key),
            ],
            orThrow: "The ledger has no charge \(charge.key)."
        )
    }
}
