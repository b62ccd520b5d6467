import TillEngine
import TillModel

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
            t.is_revocation_pending, \(SignedReceipt.columns), t.has_downloads, t.original_key, o.id, o.created_at
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
        original = try OriginalRecord(ifPresentIn: &columns)
    }

    /// The values of the columns from `queue` to `continues`, none of which changes.
    var fixedValues: [SQLValue] {
        [SQLValue(queue), SQLValue(id)] + Payment.values(payment)
            + [SQLValue(productType?.rawValue), SQLValue(createdAt), SQLValue(continues)]
    }

    /// The values of the columns from `state` to `original_key`, all of which may change.
    ///
    /// - Parameter receiptHeaderKey: The key of the receipt's header, if it has a receipt.
    func changingValues(receiptHeaderKey: Int64?) -> [SQLValue] {
        [SQLValue(state.rawValue), SQLValue(revision), SQLValue(finishedAt)]
            + PaymentError.values(error)
            + [SQLValue(isEntitlement), SQLValue(blocker?.rawValue), SQLValue(deadline), SQLValue(isInterrupted)]
            + AppliedOffer.values(offer)
            + TermRecord.values(term)
            + Revocation.values(revocation)
            + [SQLValue(isRevocationPending)]
            + SignedReceipt.values(receipt, headerKey: receiptHeaderKey)
            + [SQLValue(hasDownloads), SQLValue(original?.key)]
    }
}
