extension ConfigurationReader {
    /// Reads an optional value. Null counts as missing; a wrong type causes a warning.
    private mutating func value<Value>(
        _ key: String,
        of fields: Fields,
        _ expected: String,
        _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let member = fields.members[key], member != .null else { return nil }
        if let value = convert(member) { return value }
        findings.warning("\(key) is not \(expected) and is ignored", product: fields.product)
        return nil
    }

    /// Reads a text; adds an error if it is too long.
    mutating func text(_ key: String, of fields: Fields) -> String? {
        let text = value(key, of: fields, "a text", \.string)
        if let text, text.utf8.count > CatalogueLimits.textBytes {
            findings.error("\(key) is longer than \(CatalogueLimits.textBytes) bytes", product: fields.product)
        }
        return text
    }

    /// Reads a non-empty text; nil if it is empty.
    mutating func filledText(_ key: String, of fields: Fields) -> String? {
        text(key, of: fields).flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func flag(_ key: String, of fields: Fields) -> Bool? {
        value(key, of: fields, "true or false", \.bool)
    }

    mutating func integer(_ key: String, of fields: Fields) -> Int? {
        value(key, of: fields, "a whole number", \.integer)
    }

    mutating func number(_ key: String, of fields: Fields) -> Double? {
        value(key, of: fields, "a number", \.double)
    }

    /// Reads a count from 1 to `CatalogueLimits.count`; the default if it is missing or invalid.
    mutating func count(_ key: String, of fields: Fields, default fallback: Int) -> Int {
        let range = 1...CatalogueLimits.count
        return value(key, of: fields, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.integer.flatMap { range.contains($0) ? $0 : nil }
        } ?? fallback
    }

    mutating func object(_ key: String, of parent: Fields, _ kind: Fields.Kind) -> Fields? {
        guard let members = value(key, of: parent, "an object", \.object) else { return nil }
        return fields(members, kind, product: parent.product)
    }

    /// Reads a list, empty if it is missing; adds an error if it is not a list.
    mutating func list(_ key: String, of fields: Fields) -> [JSONValue] {
        guard let member = fields.members[key], member != .null else { return [] }
        guard let list = member.array else {
            findings.error("\(key) is not a list", product: fields.product)
            return []
        }
        return list
    }

    /// Reads a list of objects; adds an error for each other entry.
    mutating func objects(_ key: String, of parent: Fields, _ kind: Fields.Kind) -> [Fields] {
        var objects: [Fields] = []
        for entry in list(key, of: parent) {
            if let members = entry.object {
                objects.append(fields(members, kind, product: parent.product))
            } else {
                findings.error("\(key) has an entry that is not an object", product: parent.product)
            }
        }
        return objects
    }
}

/// One object of a file, with the context for messages about it.
struct Fields {
    let members: [String: JSONValue]
    /// The kind of object, for example `product` or `offer`; unknown keys are reported once per kind.
    let kind: Kind
    /// The object's product, if known.
    var product: String?

    /// The kinds of objects, each with the known keys of Xcode's files or content manifests.
    enum Kind: String, CaseIterable {
        case file, version, policies, keyPair, settings, simulatedFailure
        case product, subscription, group, localization, offer, billingPlan
        case manifest, content
    }
}

extension Fields.Kind {
    /// The kind's name in messages.
    var name: String {
        switch self {
        case .keyPair: "key pair"
        case .simulatedFailure: "simulated failure"
        case .billingPlan: "billing plan"
        case .content: "piece of content"
        default: rawValue
        }
    }

    /// The known keys.
    var keys: Set<String> {
        Self.allKeys[self] ?? []
    }

    private static let allKeys = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.listedKeys) })

    private var listedKeys: Set<String> {
        switch self {
        case .file:
            [
                "version", "identifier", "products", "nonRenewingSubscriptions", "subscriptionGroups", "settings",
                "appPolicies", "subscriptionOffersKeyPair", "subscriptionBundleGroups", "subscriptionSuiteGroups",
            ]
        case .version: ["major", "minor"]
        case .policies: ["eula", "policies"]
        case .keyPair: ["id", "privateKey"]
        case .settings:
            [
                "_timeRate", "_compatibilityTimeRate", "_askToBuyEnabled", "_billingIssuesEnabled",
                "_renewalBillingIssuesEnabled", "_billingGracePeriodEnabled", "_failTransactionsEnabled",
                "_storeKitError", "_storeKitErrors", "_disableDialogs", "_storefront", "_locale",
                "_applicationInternalID", "_developerTeamID", "_lastSynchronizedDate",
            ]
        case .simulatedFailure: ["name", "enabled", "current"]
        case .product:
            ["type", "productID", "displayPrice", "familyShareable", "internalID", "localizations", "referenceName"]
        case .subscription:
            Self.product.listedKeys.union([
                "recurringSubscriptionPeriod", "subscriptionGroupID", "groupNumber", "introductoryOffer",
                "introductoryOffers", "adHocOffers", "codeOffers", "winbackOffers", "billingPlans",
            ])
        case .group: ["id", "name", "localizations", "subscriptions"]
        case .localization: ["locale", "displayName", "description"]
        case .offer:
            [
                "internalID", "paymentMode", "subscriptionPeriod", "displayPrice", "numberOfPeriods", "billingPlanType",
                "offerID", "referenceName", "eligibility", "isStackable", "isEligible",
            ]
        case .billingPlan: ["billingPlanType", "displayPrice", "commitmentDisplayPrice", "internalID", "isEnabled"]
        case .manifest: ["version", "products"]
        case .content: ["identifier", "version", "length", "sha256", "source", "archive"]
        }
    }
}
