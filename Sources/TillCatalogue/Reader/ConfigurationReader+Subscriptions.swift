import TillModel

extension ConfigurationReader {
    /// Reads the subscriptions of a group.
    mutating func group(_ entry: JSONValue) -> [CatalogueProduct] {
        guard let members = entry.object else {
            findings.error("subscriptionGroups has an entry that is not an object")
            return []
        }
        let group = fields(members, .group)
        guard let id = filledText("id", of: group) else {
            findings.error("a subscription group has no id")
            return []
        }
        if !groupIDs.insert(id).inserted {
            findings.warning(
                "the subscription group \(id.quoted) is duplicated in the file; both are treated as one group"
            )
        }
        let name = filledText("name", of: group) ?? id
        let names = localizations(group)
        let subscriptions = someProducts("subscriptions", of: group).compactMap { entry in
            subscription(entry, groupID: id, groupName: name)
        }
        examineLevels(subscriptions.compactMap { $0.subscription?.level }, of: name)
        return subscriptions.map { subscription in
            var subscription = subscription
            subscription.groupLocalizations = names
            return subscription
        }
    }

    private mutating func subscription(_ entry: JSONValue, groupID: String, groupName: String) -> CatalogueProduct? {
        guard let fields = registered(entry, .subscription, at: "subscriptionGroups"), let type = type(fields) else {
            return nil
        }
        guard type == .autoRenewableSubscription else {
            findings.error("a product in a subscription group is not a RecurringSubscription", product: fields.product)
            return nil
        }
        if let stated = filledText("subscriptionGroupID", of: fields), stated != groupID {
            findings.warning(
                "subscriptionGroupID \(stated.quoted) differs from the group's id \(groupID.quoted), which is used",
                product: fields.product
            )
        }
        let period = period("recurringSubscriptionPeriod", of: fields)
        let offers = offers(fields)
        examineBillingPlans(fields)
        guard var product = product(fields, type: type), let period else { return nil }
        product.subscription = SubscriptionInfo(
            groupID: groupID,
            groupName: groupName,
            level: count("groupNumber", of: fields, default: 1),
            period: period,
            offers: offers
        )
        return product
    }

    /// Reads a period; adds an error if it is missing or invalid.
    mutating func period(_ key: String, of fields: Fields) -> SubscriptionPeriod? {
        guard let text = text(key, of: fields), let period = SubscriptionPeriod(iso8601: text) else {
            let found = fields.members[key]?.exactText.map { " is \($0.quoted), which is not" } ?? " is not"
            findings.error(
                "the \(key) of the \(fields.kind.name)\(found) a period such as P1W, P1M or P1Y",
                product: fields.product
            )
            return nil
        }
        return period
    }

    private mutating func examineLevels(_ levels: [Int], of group: String) {
        guard let lowest = levels.max() else {
            findings.warning("the subscription group \(group.quoted) has no subscriptions")
            return
        }
        if Set(levels).count < lowest {
            findings.warning("the levels of the subscription group \(group.quoted) skip a number below \(lowest)")
        }
    }

    private mutating func examineBillingPlans(_ fields: Fields) {
        for plan in objects("billingPlans", of: fields, .billingPlan) where flag("isEnabled", of: plan) ?? true {
            if let type = filledText("billingPlanType", of: plan), type != Self.billedUpFront {
                findings.warning("the billing plan \(type.quoted) is not supported", product: fields.product)
            }
        }
    }
}

extension SubscriptionPeriod {
    /// Parses an ISO 8601 duration of one unit, such as `P1M`, with a number from 1 to `CatalogueLimits.count`.
    init?(iso8601 text: String) {
        let digits = text.utf8.dropFirst().dropLast()
        guard text.utf8.first == UInt8(ascii: "P"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int(String(decoding: digits, as: UTF8.self)),
            (1...CatalogueLimits.count).contains(value)
        else { return nil }
        switch text.utf8.last {
        case UInt8(ascii: "D"): self.init(unit: .day, value: value)
        case UInt8(ascii: "W"): self.init(unit: .week, value: value)
        case UInt8(ascii: "M"): self.init(unit: .month, value: value)
        case UInt8(ascii: "Y"): self.init(unit: .year, value: value)
        default: return nil
        }
    }
}
