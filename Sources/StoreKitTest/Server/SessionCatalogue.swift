import Foundation
import TillCatalogue
import TillEngine
import TillModel

/// The products of a session's configuration file.
struct SessionCatalogue: Catalogue {
    let file: StoreKitCatalogue

    var settings: StoreSettings {
        file.settings
    }

    var productIDs: [String] {
        file.productIDs
    }

    func product(_ id: String, locale: String?, storefront: String) -> Product? {
        file.product(id, locale: locale, storefront: storefront)
    }

    func contents(ofProduct id: String) -> [ContentSource] {
        file.contents(ofProduct: id)
    }

    func hasStorefront(countryCode: String) -> Bool {
        file.hasStorefront(countryCode: countryCode)
    }

    func storefront(countryCode: String) -> Storefront {
        file.storefront(countryCode: countryCode)
    }

    func fault(
        of discount: PaymentDiscount,
        application: String,
        productID: String,
        applicationUsername: String?
    ) -> PaymentError? {
        file.fault(
            of: discount,
            application: application,
            productID: productID,
            applicationUsername: applicationUsername
        )
    }
}
