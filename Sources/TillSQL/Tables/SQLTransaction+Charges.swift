package import FoundationEssentials
package import TillEngine
import TillModel

/// A charge that was inserted with its transaction is a part of the transaction's row, under the transaction's key. The
/// charges of renewals, which have no transaction before they succeed, have a table of their own.
extension SQLTransaction: ChargeReader {
    package func charge(key: Int64) throws -> ChargeRecord? {
        try row(key: key)?.charge ?? rows(of: ChargeRecord.self, "WHERE key = ?1", [SQLValue(key)]).first
    }

    package func charge(forTransaction key: Int64) throws -> ChargeRecord? {
        try row(key: key).flatMap(charge(of:))
    }

    private func charge(of row: TransactionRow) throws -> ChargeRecord? {
        // No charge of a renewal refers to a row that is still to be inserted.
        guard row.charge == nil, row.isStored else {
            return row.charge
        }
        return try rows(of: ChargeRecord.self, "WHERE transaction_key = ?1", [SQLValue(row.transaction.key)]).first
    }

    package func renewalCharge(ofPayment id: UUID) throws -> ChargeRecord? {
        try rows(of: ChargeRecord.self, "WHERE payment_id = ?1", [SQLValue(id)]).first
    }

    package func dueCharges(at date: Date, limit: Int) throws -> [ChargeRecord] {
        let values = [SQLValue(date), SQLValue(limit: limit)]
        let found =
            try charges(
                "WHERE t.charge_due_at <= ?1 ORDER BY t.charge_due_at, t.key LIMIT ?2",
                values,
                skipsUnreadable: true
            )
            + rows(
                of: ChargeRecord.self,
                "WHERE state = 1 AND due_at <= ?1 ORDER BY due_at, key LIMIT ?2",
                values,
                skipsUnreadable: true
            )
        return found.first(limit) { ($0.dueAt, $0.key) < ($1.dueAt, $1.key) }
    }

    package func charges(dueAfter date: Date, limit: Int) throws -> [ChargeRecord] {
        let values = [SQLValue(date), SQLValue(limit: limit)]
        let found =
            try charges(
                "WHERE t.charge_due_at > ?1 ORDER BY t.charge_due_at DESC, t.key DESC LIMIT ?2",
                values,
                skipsUnreadable: true
            )
            + rows(
                of: ChargeRecord.self,
                "WHERE state = 1 AND due_at > ?1 ORDER BY due_at DESC, key DESC LIMIT ?2",
                values,
                skipsUnreadable: true
            )
        return found.first(limit) { ($0.dueAt, $0.key) > ($1.dueAt, $1.key) }
    }

    package func unsettledCharges(exclusiveGroup: String, in queue: Int64, limit: Int) throws -> [ChargeRecord] {
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
            + rows(
                of: ChargeRecord.self,
                "WHERE queue = ?1 AND exclusivity = ?2 AND state IN (0, 1) ORDER BY state DESC, key LIMIT ?3",
                [SQLValue(queue), SQLValue(exclusiveGroup), SQLValue(limit: limit)]
            )
        return found.first(limit) { ($1.state.rawValue, $0.key) < ($0.state.rawValue, $1.key) }
    }

    package func chargeInReview(ofSubscription key: Int64) throws -> ChargeRecord? {
        try rows(
            of: ChargeRecord.self,
            "WHERE state = 5 AND +transaction_key IS NULL AND subscription_key = ?1 ORDER BY key LIMIT 1",
            [SQLValue(key)]
        ).first
    }

    package func charges(afterKey key: Int64, limit: Int) throws -> [ChargeRecord] {
        let values = [SQLValue(key), SQLValue(limit: limit)]
        let found =
            try charges("WHERE t.key > ?1 AND t.charge_state IS NOT NULL ORDER BY t.key LIMIT ?2", values)
            + rows(of: ChargeRecord.self, "WHERE key > ?1 ORDER BY key LIMIT ?2", values)
        return found.first(limit) { $0.key < $1.key }
    }

    /// The charges of the transactions `t` that meet the condition.
    private func charges(_ condition: String, _ values: [SQLValue], skipsUnreadable: Bool = false) throws
        -> [ChargeRecord]
    {
        try writeTransactions()
        return try wholeRows(condition, values, skipsUnreadable: skipsUnreadable).compactMap(\.charge)
    }
}

extension [ChargeRecord] {
    /// The first of them in an order.
    fileprivate func first(_ limit: Int, by isBefore: (ChargeRecord, ChargeRecord) -> Bool) -> [ChargeRecord] {
        Array(sorted(by: isBefore).prefix(Swift.max(0, limit)))
    }
}

extension SQLTransaction: ChargeWriter {
    package func insert(_ charge: ChargeRecord) throws -> Int64 {
        guard let key = charge.transactionKey else {
            return try insertRenewal(charge)
        }
        try move(charge, to: key)
        return key
    }

    package func update(_ charge: ChargeRecord) throws {
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
        var inserted = charge
        inserted.key = try newRenewalKey()
        try insertRow(inserted)
        return inserted.key
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
        try updateRow(charge, orThrow: "The ledger has no charge \(charge.key).")
    }
}

extension ChargeRecord: TableRow {
    package static let table = Table<Self>("renewal_charges", refersToTransactions: true)

    package init(_ coder: inout some ColumnCoder, _ value: Self?) throws {
        let key = try coder.integer("key", value?.key)
        let subscriptionKey = try coder.integerIfPresent("subscription_key", value?.subscriptionKey)
        let queue = try coder.integer("queue", value?.queue)
        let exclusiveGroup = try coder.textIfPresent("exclusivity", value?.exclusiveGroup)
        let paymentID = try coder.uuid("payment_id", value?.request.paymentID)
        let application = try coder.text("application", value?.request.application)
        let account = try coder.text("account", value?.request.account)
        let productID = try coder.text("product_id", value?.request.productID)
        let quantity = try coder.int("quantity", value?.request.quantity)
        let renewalOffer = try AppliedOffer.describe(&coder, value?.renewalOffer, prefix: "renewal_offer")
        coder.beginChanging()
        let request = ChargeRequest(
            paymentID: paymentID,
            application: application,
            account: account,
            productID: productID,
            quantity: quantity,
            amount: try coder.integer("amount", value?.request.amount),
            currency: try coder.text("currency", value?.request.currency)
        )
        self.init(
            key: key,
            transactionKey: try coder.integerIfPresent("transaction_key", value?.transactionKey),
            subscriptionKey: subscriptionKey,
            queue: queue,
            exclusiveGroup: exclusiveGroup,
            request: request,
            amountAfterOffer: try coder.integerIfPresent("amount_after_offer", value?.amountAfterOffer),
            renewalOffer: renewalOffer,
            state: try coder.choice("state", value?.state),
            attempts: try coder.int("attempts", value?.attempts),
            createdAt: try coder.date("created_at", value?.createdAt),
            dueAt: try coder.date("due_at", value?.dueAt),
            reference: try coder.textIfPresent("reference", value?.reference)
        )
    }
}
