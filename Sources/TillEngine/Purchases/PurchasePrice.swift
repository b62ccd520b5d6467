import TillModel

/// What a payment costs.
struct PurchasePrice: Equatable {
    /// Minor units for all of the quantity.
    var amount: Int64
    /// ISO 4217.
    var currency: String
    /// As ``ChargeRecord/exclusiveGroup``.
    var exclusiveGroup: String?
    /// The offer that it is the price of.
    var offer: AppliedOffer?
    /// Minor units that each period costs after the offer; nil without one.
    var amountAfterOffer: Int64?
}
