import FoundationEssentials
import TillModel

/// An offer of a subscription: a price for a limited time, within the product that has it.
struct SubscriptionOfferFields: Encodable {
    let offer: SubscriptionOffer
    /// BCP 47: how people write the price.
    let locale: String

    /// For people, for example `1 week free (introductory)` or `$0.99 a month for 3 months (promotional winter)`.
    var text: String {
        let kind = [offer.type.title, offer.id].compactMap(\.self).joined(separator: " ")
        return "\(terms) (\(kind))"
    }

    private var terms: String {
        let price = offer.price.localized(locale)
        let length = offer.period.words(times: offer.periodCount)
        return switch offer.paymentMode {
        case .freeTrial: "\(length) free"
        case .payUpFront: "\(price) for \(length)"
        case .payAsYouGo: "\(price) each \(offer.period.each) for \(length)"
        }
    }

    private enum Key: String, CodingKey {
        case id, type, price, period
        case localizedPrice = "localized_price"
        case paymentMode = "payment_mode"
        case periodCount = "period_count"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(offer.id, forKey: .id)
        try container.encode(offer.type.name, forKey: .type)
        try container.encode(offer.paymentMode.name, forKey: .paymentMode)
        try container.encode("\(offer.price.amount)", forKey: .price)
        try container.encode(offer.price.localized(locale), forKey: .localizedPrice)
        try container.encode(offer.period.iso8601, forKey: .period)
        try container.encode(offer.periodCount, forKey: .periodCount)
    }
}

extension SubscriptionPeriod {
    /// The unit, in the plural for several.
    fileprivate var noun: String {
        value == 1 ? "\(unit)" : "\(unit)s"
    }

    /// One of it, for example `month` or `3 months`.
    fileprivate var each: String {
        value == 1 ? noun : "\(value) \(noun)"
    }

    /// How long so many of it are, for example `3 months`.
    fileprivate func words(times count: Int) -> String {
        let whole = SubscriptionPeriod(unit: unit, value: value * count)
        return "\(whole.value) \(whole.noun)"
    }
}
