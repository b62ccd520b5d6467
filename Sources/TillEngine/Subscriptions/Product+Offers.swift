import TillModel

extension Product {
    /// The offer for new subscribers.
    var introductoryOffer: SubscriptionOffer? {
        subscription?.offers.first { $0.type == .introductory }
    }

    /// The promotional offer of that identifier.
    func promotionalOffer(_ id: String) -> SubscriptionOffer? {
        subscription?.offers.first { $0.type == .promotional && $0.id == id }
    }

    /// The offer that a transaction or a subscription names; nil when the store no longer has it.
    func offer(_ applied: AppliedOffer) -> SubscriptionOffer? {
        subscription?.offers.first { AppliedOffer($0) == applied }
    }

    /// The unit of the period that is paid for with the offer; nil when the store does not have the offer.
    func periodUnit(_ applied: AppliedOffer?) -> SubscriptionPeriod.Unit? {
        guard let applied, applied.paymentMode != .payAsYouGo else {
            return subscription?.period.unit
        }
        return offer(applied)?.period.unit
    }
}

extension AppliedOffer {
    init(_ offer: SubscriptionOffer) {
        self.init(type: offer.type, id: offer.type == .introductory ? nil : offer.id, paymentMode: offer.paymentMode)
    }
}

extension SubscriptionOffer {
    /// Minor units of each of its charges; nil for a price that cannot be charged.
    var chargeAmount: Int64? {
        paymentMode == .freeTrial ? 0 : price.minorUnits(quantity: 1)
    }

    /// The length of all its periods together, as the App Store writes it
    /// (https://developer.apple.com/documentation/appstoreserverapi/offerperiod).
    var length: String {
        let unit =
            switch period.unit {
            case .day: "D"
            case .week: "W"
            case .month: "M"
            case .year: "Y"
            }
        return "P\(period.value * max(1, periodCount))\(unit)"
    }

    /// How many periods it prices: a trial or an up-front payment is one long period.
    var chargeCount: Int {
        paymentMode == .payAsYouGo ? max(1, periodCount) : 1
    }
}
