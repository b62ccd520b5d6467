import TillEngine
import TillModel
import TillSQL

// How version 9 stored a transaction: a column for each of its values.

extension TransactionRecord {
    /// Transactions with their originals, which give the columns that ``init(version9:receiptHeader:)`` reads.
    static let version9Selection = {
        let payment = ColumnWriter.selection { _ = try Payment.describe(&$0, nil) }
        let error = ColumnWriter.selection { _ = try PaymentError.describe(&$0, nil) }
        let offer = ColumnWriter.selection { _ = try AppliedOffer.describe(&$0, nil) }
        let term = ColumnWriter.selection { _ = try TermRecord.describe(&$0) }
        let revocation = ColumnWriter.selection { _ = try Revocation.describe(&$0) }
        let sale = ColumnWriter.selection { _ = try SaleRecord.describe(&$0) }
        return """
            SELECT t.key, t.queue, t.id, \(payment), t.product_type, t.created_at, t.continues,
                t.state, t.revision, t.finished_at, \(error), t.is_entitlement, t.blocker, t.deadline,
                t.is_interrupted, \(offer), \(term), \(revocation),
                t.is_revocation_pending, \(SignedReceipt.columns), t.has_downloads, t.purchased_at, t.repeats,
                \(sale), t.original_key, o.id, coalesce(o.purchased_at, o.created_at)
            FROM transactions_of_version_9 t LEFT JOIN transactions_of_version_9 o ON o.key = t.original_key
            """
    }()

    /// - Parameter receiptHeader: Gives the header with a key, or nil for a key that no header has.
    init(version9 columns: inout Columns, receiptHeader: (Int64) throws -> String?) throws {
        let key = try columns.integer("key", nil)
        let queue = try columns.integer("queue", nil)
        let id = try columns.uuid("id", nil)
        let payment = try columns.required(Payment.describe(&columns, nil), of: "payment_id")
        let productType: ProductType? = try columns.choiceIfPresent("product_type", nil)
        let createdAt = try columns.date("created_at", nil)
        let continues = try columns.uuidIfPresent("continues", nil)
        self.init(
            key: key,
            queue: queue,
            id: id,
            payment: payment,
            productType: productType,
            state: try columns.choice("state", nil),
            revision: try columns.revision("revision", nil),
            createdAt: createdAt,
            finishedAt: try columns.dateIfPresent("finished_at", nil),
            error: try PaymentError.describe(&columns, nil),
            isEntitlement: try columns.flag("is_entitlement", nil),
            blocker: try columns.choiceIfPresent("blocker", nil),
            deadline: try columns.dateIfPresent("deadline", nil),
            continues: continues,
            isInterrupted: try columns.flag("is_interrupted", nil),
            offer: try AppliedOffer.describe(&columns, nil),
            term: try TermRecord.describe(&columns),
            revocation: try Revocation.describe(&columns),
            isRevocationPending: try columns.flag("is_revocation_pending", nil),
            receipt: try SignedReceipt(ifPresentIn: &columns, header: receiptHeader),
            hasDownloads: try columns.flag("has_downloads", nil)
        )
        purchasedAt = try columns.dateIfPresent("purchased_at", nil)
        repeats = try columns.integerIfPresent("repeats", nil)
        sale = try SaleRecord.describe(&columns)
        original = try OriginalRecord(ifPresentIn: &columns)
    }
}

extension OriginalRecord {
    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let key = try columns.integerIfPresent("original_key", nil) else {
            return nil
        }
        self.init(key: key, id: try columns.uuid("id", nil), purchasedAt: try columns.date("purchased_at", nil))
    }
}

// Values that a row may have: all columns are described, and empty without the value. They are only read.

extension SaleRecord {
    fileprivate static func describe(_ coder: inout some ColumnCoder) throws -> Self? {
        let amount = try coder.integerIfPresent("sale_amount", nil)
        let currency = try coder.textIfPresent("sale_currency", nil)
        let country = try coder.textIfPresent("sale_country", nil)
        let storefront = try coder.textIfPresent("sale_storefront", nil)
        let offerPeriod = try coder.textIfPresent("sale_offer_period", nil)
        return try amount.map { amount in
            SaleRecord(
                amount: amount,
                currency: try coder.required(currency, of: "sale_currency"),
                storefront: try country.map { country in
                    let identifier = try coder.required(storefront, of: "sale_storefront")
                    return Storefront(countryCode: country, identifier: identifier)
                },
                offerPeriod: offerPeriod
            )
        }
    }
}

extension TermRecord {
    fileprivate static func describe(_ coder: inout some ColumnCoder) throws -> Self? {
        let subscription = try coder.integerIfPresent("subscription_key", nil)
        let group = try coder.textIfPresent("term_group", nil)
        let start = try coder.dateIfPresent("term_start", nil)
        let end = try coder.dateIfPresent("term_end", nil)
        let isRenewal = try coder.flagIfPresent("term_is_renewal", nil)
        let isUpgraded = try coder.flagIfPresent("term_is_upgraded", nil)
        return try subscription.map { subscription in
            TermRecord(
                subscription: subscription,
                groupID: try coder.required(group, of: "term_group"),
                start: try coder.required(start, of: "term_start"),
                end: try coder.required(end, of: "term_end"),
                isRenewal: try coder.required(isRenewal, of: "term_is_renewal"),
                isUpgraded: try coder.required(isUpgraded, of: "term_is_upgraded")
            )
        }
    }
}

extension Revocation {
    fileprivate static func describe(_ coder: inout some ColumnCoder) throws -> Self? {
        let date = try coder.dateIfPresent("revocation_date", nil)
        let reason: Reason? = try coder.choiceIfPresent("revocation_reason", nil)
        let quantity = try coder.intIfPresent("revocation_quantity", nil)
        return try date.map { date in
            Revocation(
                date: date,
                reason: try coder.required(reason, of: "revocation_reason"),
                quantity: try coder.required(quantity, of: "revocation_quantity")
            )
        }
    }
}

extension SignedReceipt {
    /// The columns of a receipt, in the order of ``init(ifPresentIn:header:)``.
    fileprivate static let columns = "t.receipt, t.receipt_header"

    /// - Parameter header: Gives the header with a key, or nil for a key that no header has.
    fileprivate init?(ifPresentIn columns: inout Columns, header: (Int64) throws -> String?) throws {
        guard let body = try columns.textIfPresent() else {
            columns.skip(1)
            return nil
        }
        guard let header = try header(columns.integer()) else {
            throw columns.unreadable()
        }
        self.init(header: header, body: body)
    }
}
