import FoundationEssentials
import TillModel

extension ConfigurationReader {
    /// `displayPrice` in the storefront's currency; an error when it is absent or no decimal number.
    mutating func price(_ fields: Fields) -> Price? {
        guard let text = fields.members["displayPrice"]?.exactText, !text.isEmpty else {
            findings.error("the \(fields.kind.name) has no displayPrice", product: fields.product)
            return nil
        }
        guard let amount = Decimal(price: text) else {
            let rule = "a decimal number such as 4.99, without sign, currency or grouping"
            findings.error("the displayPrice \(text.quoted) is not \(rule)", product: fields.product)
            return nil
        }
        let currency = settings.currency
        let decimals = Price.fractionDigits(ofCurrency: currency)
        if !amount.hasAtMost(decimals: 3) {
            findings.warning("the displayPrice \(text) cannot be signed in thousandths", product: fields.product)
        } else if !amount.hasAtMost(decimals: decimals) {
            findings.warning(
                "the displayPrice \(text) has more than the \(decimals) decimals of \(currency)",
                product: fields.product
            )
        }
        return Price(amount: amount, currency: currency)
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

    /// Whether the number is whole in units of ten to the power of `-decimals`.
    func hasAtMost(decimals: Int) -> Bool {
        var scaled = self
        for _ in 0..<decimals { scaled *= 10 }
        return scaled.isWhole
    }

    private var isWhole: Bool {
        var text = description[...]
        guard let point = text.firstIndex(of: ".") else { return true }
        text = text[point...].dropFirst()
        return text.allSatisfy { $0 == "0" }
    }
}
