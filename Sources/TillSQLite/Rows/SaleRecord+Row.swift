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
