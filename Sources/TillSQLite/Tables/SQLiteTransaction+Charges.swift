import FoundationEssentials
import TillEngine
import TillModel

/// A charge that was inserted with its transaction is a part of the transaction's row, under the transaction's key. The
/// charges of renewals, which have no transaction before they succeed, have a table of their own.
extension SQLiteTransaction: ChargeReader {
    func charge(key: Int64) throws -> ChargeRecord? {
        try row(key: key)?.charge ?? renewalCharges("WHERE key = ?1", [SQLValue(key)]).first
    }

    func charge(forTransaction key: Int64) throws -> ChargeRecord? {
        try row(key: key).flatMap(charge(of:))
    }

    private func charge(of row: TransactionRow) throws -> ChargeRecord? {
        // No charge of a renewal refers to a row that is still to be inserted.
        guard row.charge == nil, row.isStored else {
            return row.charge
        }
        return try renewalCharges("WHERE transaction_key = ?1", [SQLValue(row.transaction.key)]).first
    }

    func dueCharges(at date: Date, limit: Int) throws -> [ChargeRecord] {
        let values = [SQLValue(date), SQLValue(limit: limit)]
        let found =
            try charges(
                "WHERE t.charge_due_at <= ?1 ORDER BY t.charge_due_at, t.key LIMIT ?2",
                values,
                skipsUnreadable: true
            )
            + renewalCharges(
                "WHERE state = 1 AND due_at <= ?1 ORDER BY due_at, key LIMIT ?2",
                values,
                skipsUnreadable: true
            )
        return found.first(limit) { ($0.dueAt, $0.key) < ($1.dueAt, $1.key) }
    }

    func charges(dueAfter date: Date, limit: Int) throws -> [ChargeRecord] {
        let values = [SQLValue(date), SQLValue(limit: limit)]
        let found =
            try charges(
                "WHERE t.charge_due_at > ?1 ORDER BY t.charge_due_at DESC, t.key DESC LIMIT ?2",
                values,
                skipsUnreadable: true
            )
            + renewalCharges(
                "WHERE state = 1 AND due_at > ?1 ORDER BY due_at DESC, key DESC LIMIT ?2",
                values,
                skipsUnreadable: true
            )
        return found.first(limit) { ($0.dueAt, $0.key) > ($1.dueAt, $1.key) }
    }

    func unsettledCharges(exclusiveGroup: String, in queue: Int64, limit: Int) throws -> [ChargeRecord] {
        let found =
            try charges(
                """
                WHERE t.key IN (
                    SELECT key FROM marks WHERE kind IN (\(Mark.Kind.openInGroup.rawValue), \(Mark.Kind.waitingInGroup.rawValue))
                        AND owner = ?1 AND name = ?2
                )
                ORDER BY t.charge_state DESC, t.key LIMIT ?3
                """,
                [SQLValue(queue), SQLValue(exclusiveGroup), SQLValue(limit: limit)]
            )
            + renewalCharges(
                "WHERE queue = ?1 AND exclusivity = ?2 AND state IN (0, 1) ORDER BY state DESC, key LIMIT ?3",
                [SQLValue(queue), SQLValue(exclusiveGroup), SQLValue(limit: limit)]
            )
        return found.first(limit) { ($1.state.rawValue, $0.key) < ($0.state.rawValue, $1.key) }
    }

    func chargeInReview(ofSubscription key: Int64) throws -> ChargeRecord? {
        try renewalCharges(
            "WHERE state = 5 AND +transaction_key IS NULL AND subscription_key = ?1 ORDER BY key LIMIT 1",
            [SQLValue(key)]
        ).first
    }

    func charges(afterKey key: Int64, limit: Int) throws -> [ChargeRecord] {
        let values = [SQLValue(key), SQLValue(limit: limit)]
        let found =
            try charges("WHERE t.key > ?1 AND t.charge_state IS NOT NULL ORDER BY t.key LIMIT ?2", values)
            + renewalCharges("WHERE key > ?1 ORDER BY key LIMIT ?2", values)
        return found.first(limit) { $0.key < $1.key }
    }

    /// The charges of the transactions `t` that meet the condition.
    private func charges(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [ChargeRecord]
    {
        try writeTransactions()
        return try wholeRows(condition, values, skipsUnreadable: skipsUnreadable).compactMap(\.charge)
    }

    private func renewalCharges(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [ChargeRecord]
    {
        let sql = "\(ChargeRecord.selection) \(condition)"
        return try rows(of: "renewal_charges", sql, values, skipsUnreadable: skipsUnreadable, read: ChargeRecord.init)
    }
}

extension [ChargeRecord] {
    /// The first of them in an order.
    fileprivate func first(_ limit: Int, by isBefore: (ChargeRecord, ChargeRecord) -> Bool) -> [ChargeRecord] {
        Array(sorted(by: isBefore).prefix(Swift.max(0, limit)))
    }
}

extension SQLiteTransaction: ChargeWriter {
    func insert(_ charge: ChargeRecord) throws -> Int64 {
        guard let key = charge.transactionKey else {
            return try insertRenewal(charge)
        }
        try move(charge, to: key)
        return key
    }

    func update(_ charge: ChargeRecord) throws {
        guard !ChargeRecord.renewalKeys.contains(charge.key) else {
            return try updateRenewal(charge)
        }
        guard var row = try row(key: charge.key), row.charge != nil else {
            throw TillError(.notFound, "The ledger has no charge \(charge.key).")
        }
        row.update(charge)
        guard let key = charge.transactionKey, key != charge.key else {
            known.transactions.insert(row)
            return
        }
        try move(row.charge, to: key)
        row.charge = nil
        known.transactions.insert(row)
    }

    /// Makes a charge that of a transaction, which has to be there, without a charge.
    private func move(_ charge: ChargeRecord?, to key: Int64) throws {
        var row = try requireRow(key: key)
        guard try self.charge(of: row) == nil else {
            throw TillError(.alreadyExists, "Transaction \(key) has a charge already.")
        }
        row.charge = charge
        row.charge?.key = key
        row.charge?.transactionKey = key
        row.changes.insert(.record)
        known.transactions.insert(row)
    }

    private func insertRenewal(_ charge: ChargeRecord) throws -> Int64 {
        let key = try newRenewalKey()
        try insertRow(
            """
            INSERT INTO renewal_charges (key, transaction_key, subscription_key, queue, exclusivity, payment_id,
                application, account, product_id, quantity, amount, currency, amount_after_offer, renewal_offer_type,
                renewal_offer_id, renewal_offer_mode, state, attempts, created_at, due_at, reference)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)
            """,
            [SQLValue(key)] + charge.values
        )
        return key
    }

    private func newRenewalKey() throws -> Int64 {
        let keys = ChargeRecord.renewalKeys
        let last = try rows(of: "renewal_charges", "SELECT max(key) FROM renewal_charges", []) {
            try $0.integerIfPresent()
        }
        guard let last = last.first ?? nil else {
            return keys.lowerBound
        }
        guard keys.contains(last), last < keys.upperBound else {
            throw TillError(
                .dataLoss,
                "The ledger's table renewal_charges has the key \(last), which no charge is given."
            )
        }
        return last + 1
    }

    private func updateRenewal(_ charge: ChargeRecord) throws {
        if let key = charge.transactionKey, try row(key: key)?.charge != nil {
            throw TillError(.alreadyExists, "Transaction \(key) has a charge already.")
        }
        try writeTransactions()
        try change(
            """
            UPDATE renewal_charges SET transaction_key = ?2, state = ?3, attempts = ?4, created_at = ?5, due_at = ?6,
                reference = ?7, amount = ?8, currency = ?9, amount_after_offer = ?10
            WHERE key = ?1
            """,
            [
                SQLValue(charge.key), SQLValue(charge.transactionKey), SQLValue(charge.state.rawValue),
                SQLValue(charge.attempts), SQLValue(charge.createdAt), SQLValue(charge.dueAt),
                SQLValue(charge.reference), SQLValue(charge.request.amount), SQLValue(charge.request.currency),
                SQLValue(charge.amountAfterOffer),
            ],
            orThrow: "The ledger has no charge \(charge.key)."
        )
    }
}

extension ChargeRecord {
    static let columns = """
        key, transaction_key, subscription_key, queue, exclusivity, payment_id, application, account, product_id,
            quantity, amount, currency, amount_after_offer,
            renewal_offer_type, renewal_offer_id, renewal_offer_mode, state, attempts, created_at, due_at, reference
        """
    fileprivate static let selection = "SELECT \(columns) FROM renewal_charges"

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
