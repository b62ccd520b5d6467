public import Foundation

/// A country in which the store sells (https://developer.apple.com/documentation/storekit/skstorefront).
// Its stored properties are constants of Sendable types.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let fields: (countryCode: String, identifier: String)

    /// Creates a storefront without a country.
    public override init() {
        fields = ("", "")
        super.init()
    }

    init(countryCode: String, identifier: String) {
        fields = (countryCode, identifier)
        super.init()
    }

    /// The country code in ISO 3166-1 alpha-3
    /// (https://developer.apple.com/documentation/storekit/skstorefront/countrycode).
    open var countryCode: String { fields.countryCode }

    /// The store's identifier of the storefront
    /// (https://developer.apple.com/documentation/storekit/skstorefront/identifier).
    open var identifier: String { fields.identifier }
}
