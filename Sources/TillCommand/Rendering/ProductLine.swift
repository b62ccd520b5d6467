import FoundationEssentials
import TillModel

/// A product.
struct ProductLine: TableRow {
    static let headings = ["ID", "TYPE", "NAME", "PRICE", "OFFERS", "CONTENT"]

    let product: Product

    var columns: [String] {
        [product.id, product.type.title, product.displayName, localizedPrice, offers, contents]
    }

    private var localizedPrice: String {
        product.price.localized(product.locale)
    }

    private var offers: String {
        let offers = product.subscription?.offers ?? []
        return offers.map { SubscriptionOfferFields(offer: $0, locale: product.locale).text }.joined(separator: "; ")
    }

    /// How many pieces the store hosts, and how large they are together.
    private var contents: String {
        guard !product.contents.isEmpty else {
            return ""
        }
        let size = DownloadProgressSum.bytes(of: product.contents)
        return "\(product.contents.count) (\(ByteCount(bytes: size)))"
    }

    private enum Key: String, CodingKey {
        case id, type, description, price, currency, locale, subscription, contents
        case displayName = "display_name"
        case localizedPrice = "localized_price"
        case isFamilyShareable = "is_family_shareable"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(product.id, forKey: .id)
        try container.encode(product.type.name, forKey: .type)
        try container.encode(product.displayName, forKey: .displayName)
        try container.encode(product.description, forKey: .description)
        // As text, so that no reader makes a binary fraction of it.
        try container.encode("\(product.price.amount)", forKey: .price)
        try container.encode(product.price.currency, forKey: .currency)
        try container.encode(localizedPrice, forKey: .localizedPrice)
        try container.encode(product.locale, forKey: .locale)
        try container.encode(product.isFamilyShareable, forKey: .isFamilyShareable)
        let subscription = product.subscription.map { SubscriptionFields(subscription: $0, locale: product.locale) }
        try container.encodeIfPresent(subscription, forKey: .subscription)
        if !product.contents.isEmpty {
            try container.encode(product.contents.map(ContentFields.init), forKey: .contents)
        }
    }
}
