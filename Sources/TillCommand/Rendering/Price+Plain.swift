import TillModel

extension Price {
    /// With at least the decimals of the currency, and its code: `4.90 USD`.
    var plain: String {
        guard currency != Self.noCurrency else {
            return "nothing"
        }
        let parts = "\(amount)".split(separator: ".", maxSplits: 1)
        let whole = parts.first ?? "0"
        let fraction = parts.dropFirst().first ?? ""
        let missing = max(0, Self.fractionDigits(ofCurrency: currency) - fraction.count)
        let decimals = fraction + String(repeating: "0", count: missing)
        return decimals.isEmpty ? "\(whole) \(currency)" : "\(whole).\(decimals) \(currency)"
    }
}
