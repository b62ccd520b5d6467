import FoundationEssentials
import NIOConcurrencyHelpers
package import TillModel

/// The products that the store sells, and its settings unless an operator changes them.
package protocol Catalogue: Sendable {
    var settings: StoreSettings { get }
    /// All identifiers, in order.
    var productIDs: [String] { get }
    /// The product as a storefront sells it, with its texts in a language.
    ///
    /// - Parameters:
    ///   - locale: BCP 47; nil and unknown languages give the store's own language.
    ///   - storefront: ISO 3166-1 alpha-3, which decides the currency.
    func product(_ id: String, locale: String?, storefront: String) -> Product?
    /// The content that the store hosts for the product, as ``product(_:locale:storefront:)`` lists it.
    func contents(ofProduct id: String) -> [ContentSource]
    /// Whether there is a storefront of an ISO 3166-1 alpha-3 code.
    func hasStorefront(countryCode: String) -> Bool
    /// The storefront of an ISO 3166-1 alpha-3 code.
    func storefront(countryCode: String) -> Storefront
    /// The error of a discount whose signature is wrong; nil when it is right.
    ///
    /// The signature covers the application, the key, the product, the offer, the username, the nonce and the timestamp
    /// (https://developer.apple.com/documentation/storekit/generating-a-signature-for-promotional-offers).
    func fault(
        of discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> PaymentError?
}

/// The catalogue as the store's present settings show it.
final class StoreCatalogue: Sendable {
    let source: any Catalogue
    private let settingsBox: NIOLockedValueBox<StoreSettings>

    /// - Parameter settings: How the store behaves now.
    init(_ source: any Catalogue, settings: NIOLockedValueBox<StoreSettings>) {
        self.source = source
        settingsBox = settings
    }

    /// How the store behaves now.
    var settings: StoreSettings {
        settingsBox.withLockedValue { $0 }
    }

    /// The storefront that sets prices now.
    var storefront: Storefront {
        source.storefront(countryCode: settings.storefront)
    }

    /// The product as the present storefront sells it, for decisions: in the catalogue's own language, which needs no
    /// search for the best match.
    func soldProduct(_ id: String) -> Product? {
        source.product(id, locale: nil, storefront: settings.storefront)
    }

    /// The product as the present storefront sells it, for people.
    func product(_ id: String, locale: String? = nil) -> Product? {
        let settings = settings
        return source.product(id, locale: locale ?? settings.locale, storefront: settings.storefront)
    }

    /// The sale of a product at a price, as receipts state it.
    func sale(_ price: PurchasePrice, of product: Product?) -> SaleRecord {
        SaleRecord(
            amount: price.amount,
            currency: price.currency,
            storefront: storefront,
            offerPeriod: price.offer.flatMap { product?.offer($0) }?.length
        )
    }

    /// The sale of a renewal, as receipts state it. While the product stays the same, its storefront is the previous
    /// period's, as its price is; the present storefront prices another product.
    func sale(_ payment: SubscriptionRenewal.Payment, after latest: TransactionRecord?) -> SaleRecord {
        let isSameProduct = latest?.payment.productID == payment.productID
        let sameStorefront = isSameProduct ? latest?.pricedStorefront : nil
        let offered = payment.offer.flatMap { product(payment.productID)?.offer($0) }?.length
        return SaleRecord(
            amount: payment.amount,
            currency: payment.currency,
            storefront: sameStorefront ?? storefront,
            offerPeriod: payment.offer == nil
                ? nil : offered ?? (latest?.offer == payment.offer ? latest?.sale?.offerPeriod : nil)
        )
    }
}
