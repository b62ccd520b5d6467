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
