import TillEngine
import TillModel

extension SaleRecord {
    /// The columns of a sale, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = "t.sale_amount, t.sale_currency, t.sale_country, t.sale_storefront, t.sale_offer_period"

    init?(ifPresentIn columns: inout Columns) throws {
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

    static func values(_ sale: SaleRecord?) -> [SQLValue] {
        [
            SQLValue(sale?.amount), SQLValue(sale?.currency), SQLValue(sale?.storefront?.countryCode),
            SQLValue(sale?.storefront?.identifier), SQLValue(sale?.offerPeriod),
        ]
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
    /// The columns of a term, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = """
        t.subscription_key, t.term_group, t.term_start, t.term_end, t.term_is_renewal, t.term_is_upgraded
        """

    init?(ifPresentIn columns: inout Columns) throws {
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

    static func values(_ term: TermRecord?) -> [SQLValue] {
        [
            SQLValue(term?.subscription), SQLValue(term?.groupID), SQLValue(term?.start), SQLValue(term?.end),
            SQLValue(term?.isRenewal), SQLValue(term?.isUpgraded),
        ]
    }
}

extension Revocation {
    /// The columns of a revocation, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = "t.revocation_date, t.revocation_reason, t.revocation_quantity"

    init?(ifPresentIn columns: inout Columns) throws {
        guard let date = try columns.dateIfPresent() else {
            columns.skip(2)
            return nil
        }
        self.init(date: date, reason: try columns.value(Reason.self), quantity: try columns.int())
    }

    static func values(_ revocation: Revocation?) -> [SQLValue] {
        [SQLValue(revocation?.date), SQLValue(revocation?.reason.rawValue), SQLValue(revocation?.quantity)]
    }
}

extension SignedReceipt {
    /// The columns of a receipt, in the order of ``init(ifPresentIn:header:)`` and ``values(_:headerKey:)``.
    static let columns = "t.receipt, t.receipt_header"

    /// - Parameter header: Gives the header with a key; nil when there is none.
    init?(ifPresentIn columns: inout Columns, header: (Int64) throws -> String?) throws {
        guard let body = try columns.textIfPresent() else {
            columns.skip(1)
            return nil
        }
        guard let header = try header(columns.integer()) else {
            throw columns.unreadable()
        }
        self.init(header: header, body: body)
    }

    static func values(_ receipt: SignedReceipt?, headerKey: Int64?) -> [SQLValue] {
        [SQLValue(receipt?.body), SQLValue(headerKey)]
    }
}
