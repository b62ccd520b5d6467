import FoundationEssentials
import TillModel

extension ConfigurationReader {
    /// `displayPrice` in the storefront's currency, rounded as `Price.chargeable` is; an error when it is absent or not a
    /// decimal number. Xcode itself writes an empty one for a price that nobody has entered yet, and sells it as free.
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
    /// A price as files write it: digits, and after a point more digits; nothing else, in every locale.
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
