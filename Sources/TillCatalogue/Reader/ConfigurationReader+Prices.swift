import FoundationEssentials
import TillModel

extension ConfigurationReader {
    /// Reads `displayPrice` in the storefront's currency, rounded like `Price.chargeable`. It is an error if it is
    /// missing or not a decimal number. Xcode writes an empty one for a price that has not been entered yet and treats
    /// it as free.
    mutating func price(_ fields: Fields) -> Price? {
        guard let text = fields.members["displayPrice"]?.exactText else {
            findings.error("the \(fields.kind.name) has no displayPrice", product: fields.product)
            return nil
        }
        guard !text.isEmpty else {
            findings.warning("the displayPrice is empty and is read as 0", product: fields.product)
            return Price(amount: 0, currency: settings.currency)
        }
        guard let amount = Decimal(price: text) else {
            let rule = "a decimal number such as 4.99, without sign, currency or grouping"
            findings.error("the displayPrice \(text.quoted) is not \(rule)", product: fields.product)
            return nil
        }
        let price = Price(amount: amount, currency: settings.currency)
        let chargeable = price.chargeable
        if chargeable != price {
            let rounded = "\(chargeable.amount) \(chargeable.currency)"
            findings.warning("the displayPrice \(text) is rounded to \(rounded)", product: fields.product)
        }
        return chargeable
    }
}

extension Decimal {
    /// Parses a price in a file: digits, optionally followed by a point and more digits, independent of the locale.
    init?(price text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isNumber = parts.allSatisfy { part in
            (1...CatalogueLimits.priceDigits).contains(part.utf8.count)
                && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard isNumber else { return nil }
        self.init(string: text)
    }
}
