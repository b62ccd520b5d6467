import GRDB
import TillEngine
import TillModel

extension SQLiteTransaction: TransactionWriter {
    func newTransactionKey() throws -> Int64 {
        try highestKey.next {
            try rows(of: "sqlite_sequence", "SELECT seq FROM sqlite_sequence WHERE name = 'transactions'", []) {
                columns in
                try columns.integer()
            }.first ?? 0
        }
    }

    func insert(_ transaction: TransactionRecord) throws -> Int64 {
        var inserted = transaction
        inserted.key = transaction.key == 0 ? try newTransactionKey() : transaction.key
        let values = [SQLValue(inserted.key)] + transaction.fixedValues + (try changingValues(of: transaction))
        try run(Self.insertTransaction, values)
        knownTransactions[inserted.key] = inserted
        return inserted.key
    }

    func update(_ transaction: TransactionRecord) throws {
        try update(
            "transactions",
            key: transaction.key,
            TransactionRecord.changingColumns,
            from: knownTransactions[transaction.key].map(changingValues(of:)),
            to: changingValues(of: transaction),
            orThrow: "The ledger has no transaction \(transaction.key)."
        )
        knownTransactions[transaction.key] = transaction
    }

    private func changingValues(of transaction: TransactionRecord) throws -> [SQLValue] {
        let headerKey = try transaction.receipt.map { try receiptHeaderKey(of: $0.header) }
        return transaction.changingValues(receiptHeaderKey: headerKey)
    }

    private static let insertTransaction: String = {
        let columns = ["key"] + TransactionRecord.fixedColumns + TransactionRecord.changingColumns
        let parameters = (1...columns.count).map { "?\($0)" }
        return """
            INSERT INTO transactions (\(columns.joined(separator: ", ")))
            VALUES (\(parameters.joined(separator: ", ")))
            """
    }()
}

extension TransactionRecord {
    /// Transactions with their originals, which give the columns that ``init(_:receiptHeader:)`` reads.
    ///
    /// - Parameter source: The table as `t`, with the index where SQLite would take a worse one.
    static func selection(from source: String = "transactions t") -> String {
        "\(columns) FROM \(source) LEFT JOIN transactions o ON o.key = t.original_key"
    }

    private static let columns = """
        SELECT t.key, t.queue, t.id, \(Payment.columns), t.product_type, t.created_at, t.continues,
            t.state, t.revision, t.finished_at, \(PaymentError.columns), t.is_entitlement, t.blocker, t.deadline,
            t.is_interrupted, \(AppliedOffer.columns), \(TermRecord.columns), \(Revocation.columns),
            t.is_revocation_pending, \(SignedReceipt.columns), t.has_downloads, t.purchased_at, t.repeats,
            \(SaleRecord.columns), t.original_key, \(OriginalRecord.columns)
        """

    /// - Parameter receiptHeader: Gives the header with a key; nil when there is none.
    init(_ columns: inout Columns, receiptHeader: (Int64) throws -> String?) throws {
        let key = try columns.integer()
        let queue = try columns.integer()
        let id = try columns.uuid()
        let payment = try Payment(&columns)
        let productType = try columns.valueIfPresent(ProductType.self)
        let createdAt = try columns.date()
        let continues = try columns.uuidIfPresent()
        self.init(
            key: key,
            queue: queue,
            id: id,
            payment: payment,
            productType: productType,
            state: try columns.value(TransactionState.self),
            revision: try columns.revision(),
            createdAt: createdAt,
            finishedAt: try columns.dateIfPresent(),
            error: try PaymentError(ifPresentIn: &columns),
            isEntitlement: try columns.flag(),
            blocker: try columns.valueIfPresent(Blocker.self),
            deadline: try columns.dateIfPresent(),
            continues: continues,
            isInterrupted: try columns.flag(),
            offer: try AppliedOffer(ifPresentIn: &columns),
            term: try TermRecord(ifPresentIn: &columns),
            revocation: try Revocation(ifPresentIn: &columns),
            isRevocationPending: try columns.flag(),
            receipt: try SignedReceipt(ifPresentIn: &columns, header: receiptHeader),
            hasDownloads: try columns.flag()
        )
        purchasedAt = try columns.dateIfPresent()
        repeats = try columns.integerIfPresent()
        sale = try SaleRecord(ifPresentIn: &columns)
        original = try OriginalRecord(ifPresentIn: &columns)
    }

    /// The columns that never change.
    static let fixedColumns = [
        "queue", "id", "payment_id", "product_id", "quantity", "application_username", "request_data",
        "simulates_ask_to_buy", "discount_id", "discount_key_id", "discount_nonce", "discount_signature",
        "discount_timestamp", "product_type", "created_at", "continues",
    ]

    /// The columns that may change.
    static let changingColumns = [
        "state", "revision", "finished_at", "error_code", "error_message", "error_money_moved", "error_retry",
        "error_reason", "error_provider_code", "is_entitlement", "blocker", "deadline", "is_interrupted", "offer_type",
        "offer_id", "offer_mode", "subscription_key", "term_group", "term_start", "term_end", "term_is_renewal",
        "term_is_upgraded", "revocation_date", "revocation_reason", "revocation_quantity", "is_revocation_pending",
        "receipt", "receipt_header", "has_downloads", "original_key", "purchased_at", "repeats", "sale_amount",
        "sale_currency", "sale_country", "sale_storefront", "sale_offer_period",
    ]

    /// The values of ``fixedColumns``.
    var fixedValues: [SQLValue] {
        var values = [SQLValue(queue), SQLValue(id)]
        values.reserveCapacity(Self.fixedColumns.count)
        values += Payment.values(payment)
        values += [SQLValue(productType?.rawValue), SQLValue(createdAt), SQLValue(continues)]
        return values
    }

    /// The values of ``changingColumns``.
    ///
    /// - Parameter receiptHeaderKey: The key of the receipt's header, if it has a receipt.
    func changingValues(receiptHeaderKey: Int64?) -> [SQLValue] {
        var values = [SQLValue(state.rawValue), SQLValue(revision), SQLValue(finishedAt)]
        values.reserveCapacity(Self.changingColumns.count)
        values += PaymentError.values(error)
        values += [SQLValue(isEntitlement), SQLValue(blocker?.rawValue), SQLValue(deadline), SQLValue(isInterrupted)]
        values += AppliedOffer.values(offer)
        values += TermRecord.values(term)
        values += Revocation.values(revocation)
        values += [SQLValue(isRevocationPending)]
        values += SignedReceipt.values(receipt, headerKey: receiptHeaderKey)
        values += [SQLValue(hasDownloads), SQLValue(original?.key), SQLValue(purchasedAt), SQLValue(repeats)]
        values += SaleRecord.values(sale)
        return values
    }
}

extension OriginalRecord {
    /// The columns of an original `o` after its key.
    static let columns = "o.id, coalesce(o.purchased_at, o.created_at) AS original_date"

    init(_ columns: inout Columns) throws {
        self.init(key: try columns.integer(), id: try columns.uuid(), purchasedAt: try columns.date())
    }

    init?(ifPresentIn columns: inout Columns) throws {
        guard let key = try columns.integerIfPresent() else {
            return nil
        }
        self.init(key: key, id: try columns.uuid(), purchasedAt: try columns.date())
    }
}
