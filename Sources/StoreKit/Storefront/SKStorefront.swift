public import Foundation

/// Where the store sells (https://developer.apple.com/documentation/storekit/skstorefront).
// Its stored properties are constants of Sendable types.
open class SKStorefront: NSObject, @unchecked Sendable {
    private let fields: (countryCode: String, identifier: String)

    /// A storefront without a country.
    public override init() {
        fields = ("", "")
        super.init()
    }

    init(countryCode: String, identifier: String) {
        fields = (countryCode, identifier)
        super.init()
    }

    /// ISO 3166-1 alpha-3 (https://developer.apple.com/documentation/storekit/skstorefront/countrycode).
    open var countryCode: String { fields.countryCode }

    /// The store's own number for it (https://developer.apple.com/documentation/storekit/skstorefront/identifier).
    open var identifier: String { fields.identifier }
}
