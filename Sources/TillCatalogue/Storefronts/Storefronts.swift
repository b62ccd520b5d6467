package import TillModel

/// The App Store's countries and regions, and the currency that each sells in.
package enum Storefronts {
    /// The currency of storefronts that are not in the table.
    package static let currencyDefault = "USD"

    package static let unitedStates = storefront(countryCode: "USA")

    /// The storefront with the App Store's identifier; if that is not known reliably, the country code is used instead.
    package static func storefront(countryCode: String) -> Storefront {
        Storefront(countryCode: countryCode, identifier: table[countryCode]?.identifier ?? countryCode)
    }

    /// The currency (ISO 4217); nil for a country that is not in the table.
    package static func currency(countryCode: String) -> String? {
        table[countryCode]?.currency
    }

    /// The region (ISO 3166-1 alpha-2); nil for a country that is not in the table.
    package static func region(countryCode: String) -> String? {
        table[countryCode]?.region
    }

    /// Whether the text has the form of an ISO 3166-1 alpha-3 code: three letters `A` to `Z`.
    package static func isCountryCode(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 3 && bytes.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
