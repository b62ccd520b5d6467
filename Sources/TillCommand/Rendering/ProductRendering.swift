import FoundationEssentials
import TillModel
import TillOutput

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
        return offers.map { $0.text(locale: product.locale) }.joined(separator: "; ")
    }

    /// The number and the total size of the content packages.
    private var contents: String {
        guard !product.contents.isEmpty else {
            return ""
        }
        let size = DownloadProgressSum.bytes(of: product.contents)
        return "\(product.contents.count) (\(ByteCount(bytes: size)))"
    }

    var json: JSONObject {
        [
            "id": product.id,
            "type": product.type.name,
            "display_name": product.displayName,
            "description": product.description,
            "price": product.price.exactAmount,
            "currency": product.price.currency,
            "localized_price": localizedPrice,
            "locale": product.locale,
            "is_family_shareable": product.isFamilyShareable,
            "subscription": product.subscription?.json(locale: product.locale),
            "contents": product.contents.isEmpty ? nil : product.contents.map(\.json),
        ]
    }
}

extension ProductContent {
    fileprivate var json: JSONObject {
        ["identifier": identifier, "version": version, "length": length]
    }
}

extension SubscriptionInfo {
    fileprivate func json(locale: String) -> JSONObject {
        [
            "group_id": groupID,
            "group_name": groupName,
            "level": level,
            "period": period.iso8601,
            "offers": offers.map { $0.json(locale: locale) },
        ]
    }
}

/// An offer of a subscription: a price for a limited time, within its product. The locale (BCP 47) formats the price.
extension SubscriptionOffer {
    /// The offer for people, for example `1 week free (introductory)` or
    /// `$0.99 each month for 3 months (promotional winter)`.
    fileprivate func text(locale: String) -> String {
        let kind = [type.title, id].compactMap(\.self).joined(separator: " ")
        let length = period.words(times: periodCount)
        let terms =
            switch paymentMode {
            case .freeTrial: "\(length) free"
            case .payUpFront: "\(price.localized(locale)) for \(length)"
            case .payAsYouGo: "\(price.localized(locale)) each \(period.each) for \(length)"
            }
        return "\(terms) (\(kind))"
    }

    fileprivate func json(locale: String) -> JSONObject {
        [
            "id": id,
            "type": type.name,
            "payment_mode": paymentMode.name,
            "price": price.exactAmount,
            "localized_price": price.localized(locale),
            "period": period.iso8601,
            "period_count": periodCount,
        ]
    }
}
