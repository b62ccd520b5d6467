import TillModel

/// What the next renewal costs, and how that comes about.
struct RenewalPrice: Equatable {
    /// Minor units.
    var amount: Int64
    /// ISO 4217.
    var currency: String
    /// The offer that sets the amount, which is in the subscription's currency.
    var offer: OfferRecord?
    /// What renewals cost after the offer.
    var fullAmount: Int64

    /// Existing subscribers keep their price, unless they agreed to a higher one or the store sells for less by now: for
    /// less than what nobody asked them about. Another product costs what the store says.
    ///
    /// Nil when the store does not have the product, or not for a price that can be charged.
    init?(_ record: SubscriptionRecord, product: Product?) {
        guard let product else {
            return nil
        }
        let listed = product.price.minorUnits(quantity: 1)
        if record.renewalProductID != record.productID {
            guard let listed else {
                return nil
            }
            fullAmount = listed
            currency = product.price.currency
        } else {
            let agreed = record.priceConsent == .agreed ? record.announcedAmount : nil
            let own = agreed ?? record.renewalAmount
            let isAgreedTo = record.announcedAmount == own
            let isComparable = product.price.currency == record.currency && !isAgreedTo
            fullAmount = isComparable ? min(own, listed ?? own) : own
            currency = record.currency
        }
        let isOfferPayable = currency == record.currency
        offer = record.offer.flatMap { $0.remaining > 0 && isOfferPayable ? $0 : nil }
        amount = offer?.amount ?? fullAmount
    }
}
