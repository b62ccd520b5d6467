import TillModel

/// What the JSON of a subscription has beyond that of other products.
struct SubscriptionFields: Encodable {
    let subscription: SubscriptionInfo
    /// BCP 47: how people write prices.
    let locale: String

    private enum Key: String, CodingKey {
        case level, period, offers
        case groupID = "group_id"
        case groupName = "group_name"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(subscription.groupID, forKey: .groupID)
        try container.encode(subscription.groupName, forKey: .groupName)
        try container.encode(subscription.level, forKey: .level)
        try container.encode(subscription.period.iso8601, forKey: .period)
        let offers = subscription.offers.map { SubscriptionOfferFields(offer: $0, locale: locale) }
        try container.encode(offers, forKey: .offers)
    }
}

extension SubscriptionPeriod {
    /// A duration of ISO 8601, for example `P1M`.
    var iso8601: String {
        switch unit {
        case .day: "P\(value)D"
        case .week: "P\(value)W"
        case .month: "P\(value)M"
        case .year: "P\(value)Y"
        }
    }
}
