import TillModel

extension AppliedOffer {
    /// The columns of an offer, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = "t.offer_type, t.offer_id, t.offer_mode"

    init?(ifPresentIn columns: inout Columns) throws {
        guard let type = try columns.valueIfPresent(SubscriptionOffer.OfferType.self) else {
            columns.skip(2)
            return nil
        }
        self.init(
            type: type,
            id: try columns.textIfPresent(),
            paymentMode: try columns.value(SubscriptionOffer.PaymentMode.self)
        )
    }

    static func values(_ offer: AppliedOffer?) -> [SQLValue] {
        [SQLValue(offer?.type.rawValue), SQLValue(offer?.id), SQLValue(offer?.paymentMode.rawValue)]
    }
}
