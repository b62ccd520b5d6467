import FoundationEssentials
import NIOConcurrencyHelpers
import TillEngine
package import TillModel

/// A few products with short names. A test may change them while the engine works; copies share the products.
package struct TestCatalogue: Catalogue {
    /// The store's settings when the engine is made.
    package var settings = StoreSettings()
    private let products: NIOLockedValueBox<[String: Product]>
    private let contents = NIOLockedValueBox<[String: [ContentSource]]>([:])
    private let signatureFault = NIOLockedValueBox<PaymentError?>(nil)

    package init() {
        let list = [
            Self.product("coins", .consumable, "0.99"),
            Self.product("pro", .nonConsumable, "4.99"),
            Self.product("themes", .nonConsumable, "1.99"),
            Self.product("season", .nonRenewingSubscription, "9.99"),
            Self.subscription("monthly", "2.99", .month, level: 1, group: "magazine"),
            Self.product("gift", .nonConsumable, "0.00"),
            Self.product("odd", .consumable, "0.999"),
            Self.subscription(
                "gold",
                "9.99",
                .month,
                level: 1,
                offers: [.introductory(.payAsYouGo, "0.99", .month, 3)]
            ),
            Self.subscription(
                "silver",
                "4.99",
                .month,
                level: 2,
                offers: [
                    .introductory(.freeTrial, "0", .week, 1),
                    .promotional("winter", .payUpFront, "9.99", .month, 3),
                    .promotional("spring", .payAsYouGo, "1.99", .month, 2),
                ]
            ),
            Self.subscription("silver.yearly", "49.99", .year, level: 2),
            Self.subscription("silver.plus", "5.99", .month, level: 2),
            Self.subscription("bronze", "19.99", .year, level: 3),
        ]
        products = NIOLockedValueBox(Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) }))
    }

    package var productIDs: [String] {
        products.withLockedValue { $0.keys.sorted() }
    }

    package func product(_ id: String, locale: String?, storefront: String) -> Product? {
        products.withLockedValue { $0[id] }
    }

    package func contents(ofProduct id: String) -> [ContentSource] {
        contents.withLockedValue { $0[id] ?? [] }
    }

    /// Hosts this many pieces of content for a product, each of 1,000 bytes.
    package func host(_ count: Int, for id: String, version: String = "1.0") {
        let sources = (0..<count).map { number in
            ContentSource(
                content: ProductContent(identifier: "\(id).\(number)", version: version, length: 1000),
                sha256: .init(repeating: UInt8(number), count: 32),
                url: URL(filePath: "/content/\(id).\(number)")
            )
        }
        contents.withLockedValue { $0[id] = sources }
        products.withLockedValue { $0[id]?.contents = sources.map(\.content) }
    }

    package func hasStorefront(countryCode: String) -> Bool {
        countryCode != "XXX"
    }

    package func storefront(countryCode: String) -> Storefront {
        Storefront(countryCode: countryCode, identifier: countryCode == "USA" ? "143441" : countryCode)
    }

    package func fault(
        of discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> PaymentError? {
        signatureFault.withLockedValue { $0 }
    }

    /// Sets the error of every signature from now on; nil for none.
    package func setSignatureFault(_ fault: PaymentError?) {
        signatureFault.withLockedValue { $0 = fault }
    }

    /// Changes a product's price.
    package func setPrice(_ price: String, of id: String) {
        products.withLockedValue { $0[id]?.price.amount = Decimal(string: price) ?? 0 }
    }

    /// Ends all offers of a subscription.
    package func removeOffers(of id: String) {
        products.withLockedValue { $0[id]?.subscription?.offers = [] }
    }

    /// Adds this many products, which differ only in their names.
    package func add(_ count: Int) {
        for number in 0..<count {
            let product = Self.product("more\(number)", .consumable, "0.99")
            products.withLockedValue { $0[product.id] = product }
        }
    }

    /// Removes a product from the store.
    package func remove(_ id: String) {
        products.withLockedValue { $0[id] = nil }
    }

    private static func product(_ id: String, _ type: ProductType, _ price: String) -> Product {
        Product(
            id: id,
            type: type,
            displayName: id,
            description: id,
            price: .dollars(price),
            locale: "en-US"
        )
    }

    private static func subscription(
        _ id: String,
        _ price: String,
        _ unit: SubscriptionPeriod.Unit,
        level: Int,
        group: String = "news",
        offers: [SubscriptionOffer] = []
    ) -> Product {
        var product = product(id, .autoRenewableSubscription, price)
        product.subscription = SubscriptionInfo(
            groupID: group,
            groupName: group,
            level: level,
            period: SubscriptionPeriod(unit: unit, value: 1),
            offers: offers
        )
        return product
    }
}

extension Price {
    fileprivate static func dollars(_ amount: String) -> Price {
        Price(amount: Decimal(string: amount) ?? 0, currency: "USD")
    }
}

extension SubscriptionOffer {
    fileprivate static func introductory(
        _ mode: PaymentMode,
        _ price: String,
        _ unit: SubscriptionPeriod.Unit,
        _ count: Int
    ) -> SubscriptionOffer {
        SubscriptionOffer(
            id: nil,
            type: .introductory,
            paymentMode: mode,
            price: .dollars(price),
            period: SubscriptionPeriod(unit: unit, value: 1),
            periodCount: count
        )
    }

    fileprivate static func promotional(
        _ id: String,
        _ mode: PaymentMode,
        _ price: String,
        _ unit: SubscriptionPeriod.Unit,
        _ count: Int
    ) -> SubscriptionOffer {
        SubscriptionOffer(
            id: id,
            type: .promotional,
            paymentMode: mode,
            price: .dollars(price),
            period: SubscriptionPeriod(unit: unit, value: 1),
            periodCount: count
        )
    }
}
