import TillEngine
import TillModel

// How version 9 stored a transaction: a column for each of its values.

extension TransactionRecord {
    /// Transactions with their originals, which give the columns that ``init(version9:receiptHeader:)`` reads.
    static let version9Selection = {
        let payment = ColumnWriter.selection { _ = try Payment.describe(&$0, nil) }
        let error = ColumnWriter.selection { _ = try PaymentError.describe(&$0, nil) }
        let offer = ColumnWriter.selection { _ = try AppliedOffer.describe(&$0, nil) }
        return """
            SELECT t.key, t.queue, t.id, \(payment), t.product_type, t.created_at, t.continues,
                t.state, t.revision, t.finished_at, \(error), t.is_entitlement, t.blocker, t.deadline,
                t.is_interrupted, \(offer), \(TermRecord.columns), \(Revocation.columns),
                t.is_revocation_pending, \(SignedReceipt.columns), t.has_downloads, t.purchased_at, t.repeats,
                \(SaleRecord.columns), t.original_key, o.id, coalesce(o.purchased_at, o.created_at)
            FROM transactions_of_version_9 t LEFT JOIN transactions_of_version_9 o ON o.key = t.original_key
            """
    }()

    /// - Parameter receiptHeader: Gives the header with a key, or nil for a key that no header has.
    init(version9 columns: inout Columns, receiptHeader: (Int64) throws -> String?) throws {
        let key = try columns.integer()
        let queue = try columns.integer()
        let id = try columns.uuid()
        let payment = try columns.required(Payment.describe(&columns, nil), of: "payment_id")
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
            error: try PaymentError.describe(&columns, nil),
            isEntitlement: try columns.flag(),
            blocker: try columns.valueIfPresent(Blocker.self),
            deadline: try columns.dateIfPresent(),
            continues: continues,
            isInterrupted: try columns.flag(),
            offer: try AppliedOffer.describe(&columns, nil),
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
}

extension OriginalRecord {
    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let key = try columns.integerIfPresent() else {
            return nil
        }
        self.init(key: key, id: try columns.uuid(), purchasedAt: try columns.date())
    }
}

extension SaleRecord {
    /// The columns of a sale, in the order of ``init(ifPresentIn:)``.
    fileprivate static let columns =
        "t.sale_amount, t.sale_currency, t.sale_country, t.sale_storefront, t.sale_offer_period"

    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let amount = try columns.integerIfPresent() else {
            columns.skip(4)
            return nil
        }
        self.init(
            amount: amount,
            currency: try columns.text(),
            storefront: try Storefront(ifPresentIn: &columns),
            offerPeriod: try columns.textIfPresent()
        )
    }
}

extension Storefront {
    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let country = try columns.textIfPresent() else {
            columns.skip(1)
            return nil
        }
        self.init(countryCode: country, identifier: try columns.text())
    }
}

extension TermRecord {
    /// The columns of a term, in the order of ``init(ifPresentIn:)``.
    fileprivate static let columns = """
        t.subscription_key, t.term_group, t.term_start, t.term_end, t.term_is_renewal, t.term_is_upgraded
        """

    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let subscription = try columns.integerIfPresent() else {
            columns.skip(5)
            return nil
        }
        self.init(
            subscription: subscription,
            groupID: try columns.text(),
            start: try columns.date(),
            end: try columns.date(),
            isRenewal: try columns.flag(),
            isUpgraded: try columns.flag()
        )
    }
}

extension Revocation {
    /// The columns of a revocation, in the order of ``init(ifPresentIn:)``.
    fileprivate static let columns = "t.revocation_date, t.revocation_reason, t.revocation_quantity"

    fileprivate init?(ifPresentIn columns: inout Columns) throws {
        guard let date = try columns.dateIfPresent() else {
            columns.skip(2)
            return nil
        }
        self.init(date: date, reason: try columns.value(Reason.self), quantity: try columns.int())
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
