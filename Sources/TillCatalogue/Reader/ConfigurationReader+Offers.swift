import FoundationEssentials
import TillModel

extension ConfigurationReader {
    /// The only billing plan that is sold here; subscriptions and offers without a plan use it.
    static let billedUpFront = "BILLED_UPFRONT"

    /// The offers of a subscription: introductory first, then promotional ones, codes and win-back offers.
    mutating func offers(_ fields: Fields) -> [SubscriptionOffer] {
        let count = ["introductoryOffers", "adHocOffers", "codeOffers", "winbackOffers"].reduce(0) {
            $0 + (fields.members[$1]?.array?.count ?? 0)
        }
        guard count <= CatalogueLimits.offers else {
            findings.error("the subscription has more than \(CatalogueLimits.offers) offers", product: fields.product)
            return []
        }
        return introductoryOffers(fields)
            + named(objects("adHocOffers", of: fields, .offer), .promotional)
            + objects("codeOffers", of: fields, .offer).compactMap { offer($0, .code, id: nil) }
            + named(objects("winbackOffers", of: fields, .offer), .winBack)
    }

    /// The introductory offer, which files of version 5 repeat in a list with one offer for each billing plan.
    private mutating func introductoryOffers(_ fields: Fields) -> [SubscriptionOffer] {
        let single = object("introductoryOffer", of: fields, .offer).map { [$0] } ?? []
        let all = single + objects("introductoryOffers", of: fields, .offer)
        var internalIDs: Set<String> = []
        let offers = all.compactMap { entry -> SubscriptionOffer? in
            if let id = entry.members["internalID"]?.string, !internalIDs.insert(id).inserted { return nil }
            return offer(entry, .introductory, id: nil)
        }
        if offers.count > 1 {
            findings.warning("there is more than one introductory offer; the first is used", product: fields.product)
        }
        return Array(offers.prefix(1))
    }

    /// Reads offers that apps request by identifier; each identifier must be unique.
    private mutating func named(
        _ entries: [Fields],
        _ type: SubscriptionOffer.OfferType
    ) -> [SubscriptionOffer] {
        var ids: Set<String> = []
        return entries.compactMap { entry in
            guard let id = entry.members["offerID"]?.string, Identifier.isValid(id) else {
                drop(entry, "its offerID is missing or invalid")
                return nil
            }
            guard ids.insert(id).inserted else {
                drop(entry, "its offerID is duplicated")
                return nil
            }
            return offer(entry, type, id: id)
        }
    }

    private mutating func offer(
        _ entry: Fields,
        _ type: SubscriptionOffer.OfferType,
        id: String?
    ) -> SubscriptionOffer? {
        if let plan = filledText("billingPlanType", of: entry), plan != Self.billedUpFront {
            drop(entry, "the billing plan \(plan.quoted) is not supported")
            return nil
        }
        let mode: SubscriptionOffer.PaymentMode
        switch entry.members["paymentMode"]?.string {
        case "free": mode = .freeTrial
        case "payAsYouGo": mode = .payAsYouGo
        case "payUpFront": mode = .payUpFront
        case "none": return nil
        case let other:
            drop(entry, other.map { "its paymentMode \($0.quoted) is unknown" } ?? "it has no paymentMode")
            return nil
        }
        if mode != .freeTrial, (entry.members["displayPrice"]?.exactText ?? "").isEmpty {
            drop(entry, "its displayPrice is empty")
            return nil
        }
        let price = mode == .freeTrial ? Price(amount: 0, currency: settings.currency) : price(entry)
        guard let period = period("subscriptionPeriod", of: entry), let price else { return nil }
        return SubscriptionOffer(
            id: id,
            type: type,
            paymentMode: mode,
            price: price,
            period: period,
            periodCount: count("numberOfPeriods", of: entry, default: 1)
        )
    }

    private mutating func drop(_ entry: Fields, _ reason: String) {
        let names = ["offerID", "referenceName", "internalID"].lazy.compactMap { entry.members[$0]?.string }
        let name = names.first { !$0.isEmpty } ?? ""
        findings.warning("the offer \(name.quoted) is ignored: \(reason)", product: entry.product)
    }
}

extension ConfigurationReader {
    /// Reads `displayPrice` in the storefront's currency, rounded like `Price.chargeable`. It is an error if it is
    /// missing or not a decimal number. Xcode writes an empty one for a price that has not been entered yet and treats
    /// it as free.
    mutating func price(_ fields: Fields) -> Price? {
        guard let text = fields.members["displayPrice"]?.exactText else {
            findings.error("the \(fields.kind.name) has no displayPrice", product: fields.product)
            return nil
        }
        guard !text.isEmpty else {
            findings.warning("the displayPrice is empty and is read as 0", product: fields.product)
            return Price(amount: 0, currency: settings.currency)
        }
        guard let amount = Decimal(price: text) else {
            let rule = "a decimal number such as 4.99, without sign, currency or grouping"
            findings.error("the displayPrice \(text.quoted) is not \(rule)", product: fields.product)
            return nil
        }
        let price = Price(amount: amount, currency: settings.currency)
        let chargeable = price.chargeable
        if chargeable != price {
            let rounded = "\(chargeable.amount) \(chargeable.currency)"
            findings.warning("the displayPrice \(text) is rounded to \(rounded)", product: fields.product)
        }
        return chargeable
    }
}

extension Decimal {
    /// Parses a price in a file: digits, optionally followed by a point and more digits, independent of the locale.
    init?(price text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in
            (1...CatalogueLimits.priceDigits).contains(part.utf8.count)
                && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard isNumber else { return nil }
        self.init(string: text)
    }
}
