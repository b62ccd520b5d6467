package import TillModel

/// What a transaction costs, and where it was priced. Its receipts say this whenever they are signed, whatever the store
/// sells by then.
package struct SaleRecord: Hashable, Sendable {
    /// Minor units; 0 for a purchase that costs nothing.
    package var amount: Int64
    /// ISO 4217.
    package var currency: String
    /// The storefront whose price it is; nil in transactions of an older Till, which did not keep it.
    package var storefront: Storefront?
    /// How long the offer lasts that sets the price, as an ISO 8601 duration; nil without an offer.
    package var offerPeriod: String?

    package init(amount: Int64, currency: String, storefront: Storefront? = nil, offerPeriod: String? = nil) {
        self.amount = amount
        self.currency = currency
        self.storefront = storefront
        self.offerPeriod = offerPeriod
    }
}
