import FoundationEssentials
import TillModel

extension ConfigurationReader {
    /// Reads a product of one of the two lists outside the subscription groups.
    mutating func product(_ entry: JSONValue, at list: String) -> CatalogueProduct? {
        guard let fields = registered(entry, .product, at: list), let type = type(fields) else { return nil }
        guard type != .autoRenewableSubscription else {
            findings.error(
                "an auto-renewable subscription is outside a subscription group",
                product: fields.product
            )
            return nil
        }
        return product(fields, type: type)
    }

    /// Returns the fields of a product if its identifier is valid, and registers the identifier.
    mutating func registered(_ entry: JSONValue, _ kind: Fields.Kind, at list: String) -> Fields? {
        guard let members = entry.object else {
            findings.error("\(list) has an entry that is not an object")
            return nil
        }
        guard let id = members["productID"]?.string, !id.isEmpty else {
            findings.error("a product in \(list) has no productID")
            return nil
        }
        guard Identifier.isValid(id) else {
            let rule = "1 to \(Identifier.maximumBytes) of A-Z a-z 0-9 . _ : -"
            findings.error("the productID \(id.quoted) must be \(rule)")
            return nil
        }
        register(productID: id)
        return fields(members, kind, product: id)
    }

    mutating func type(_ fields: Fields) -> ProductType? {
        switch fields.members["type"]?.string {
        case "Consumable": return .consumable
        case "NonConsumable": return .nonConsumable
        case "NonRenewingSubscription": return .nonRenewingSubscription
        case "RecurringSubscription": return .autoRenewableSubscription
        case let type?: findings.error("the type \(type.quoted) is unknown", product: fields.product)
        case nil: findings.error("the product has no type", product: fields.product)
        }
        return nil
    }

    /// Reads the properties that products of all types share.
    mutating func product(_ fields: Fields, type: ProductType) -> CatalogueProduct? {
        let referenceName = filledText("referenceName", of: fields)
        if referenceName == nil { findings.warning("the product has no reference name", product: fields.product) }
        let isFamilyShareable = flag("familyShareable", of: fields) ?? false
        let localizations = localizations(fields)
        examine(localizations, of: fields)
        guard let id = fields.product, let price = productPrice(fields) else { return nil }
        return CatalogueProduct(
            id: id,
            internalID: filledText("internalID", of: fields),
            referenceName: referenceName,
            type: type,
            price: price,
            isFamilyShareable: isFamilyShareable,
            localizations: localizations,
            groupLocalizations: [],
            defaultLanguage: settings.language
        )
    }

    mutating func localizations(_ fields: Fields) -> [Localization] {
        let entries = objects("localizations", of: fields, .localization)
        guard entries.count <= CatalogueLimits.localizations else {
            findings.error(
                "there are more than \(CatalogueLimits.localizations) localizations",
                product: fields.product
            )
            return []
        }
        return entries.map { entry in
            Localization(
                language: language("locale", of: entry),
                displayName: text("displayName", of: entry) ?? "",
                description: text("description", of: entry) ?? ""
            )
        }
    }

    private mutating func examine(_ localizations: [Localization], of fields: Fields) {
        if localizations.isEmpty { findings.warning("the product has no localization", product: fields.product) }
        var languages: Set<LanguageTag> = []
        for localization in localizations {
            let language = localization.language
            let name = language?.description ?? "an unnamed language"
            if localization.displayName.isEmpty {
                findings.warning("the display name in \(name) is empty", product: fields.product)
            }
            if localization.description.isEmpty {
                findings.warning("the description in \(name) is empty", product: fields.product)
            }
            if let language, !languages.insert(language).inserted {
                findings.warning("\(name) is duplicated; the first is used", product: fields.product)
            }
        }
    }

    private mutating func productPrice(_ fields: Fields) -> Price? {
        guard let price = price(fields) else { return nil }
        if price.amount == 0 { findings.warning("the product is free", product: fields.product) }
        return price
    }
}
