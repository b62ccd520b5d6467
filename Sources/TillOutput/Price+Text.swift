import FoundationEssentials
package import TillModel

extension Price {
    /// The price with at least the decimals of its currency, and the currency's code: `4.90 USD`.
    package var plain: String {
        currency == Self.noCurrency ? "nothing" : "\(plainAmount) \(currency)"
    }

    /// The amount with at least the decimals of its currency: `4.90`.
    package var plainAmount: String {
        let parts = "\(amount)".split(separator: ".", maxSplits: 1)
        let whole = parts.first ?? "0"
        let fraction = parts.dropFirst().first ?? ""
        let missing = max(0, Self.fractionDigits(ofCurrency: currency) - fraction.count)
        let decimals = fraction + String(repeating: "0", count: missing)
        return decimals.isEmpty ? "\(whole)" : "\(whole).\(decimals)"
    }
}
