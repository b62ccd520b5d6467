extension Duration {
    /// The units of spans of time, from the longest to the shortest.
    package static let spanUnits: [(symbol: String, seconds: Int64)] = [
        ("w", 604_800), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// The span of time in whole seconds and without weeks: `30d`, `1d12h`, `0s`.
    package var spanText: String {
        var rest = components.seconds.magnitude
        let sign = self < .zero && rest > 0 ? "-" : ""
        let parts = Self.spanUnits.dropFirst().compactMap { unit -> String? in
            let (count, left) = rest.quotientAndRemainder(dividingBy: unit.seconds.magnitude)
            rest = left
            return count == 0 ? nil : "\(count)\(unit.symbol)"
        }
        return parts.isEmpty ? "0s" : sign + parts.joined()
    }
}

extension Double {
    /// The number with one digit after the point; nil unless it is 0 or more and has an exact integer part.
    package var withOneDecimal: String? {
        let tenths = (self * 10).rounded()
        guard let whole = Int64(exactly: tenths), tenths >= 0 else {
            return nil
        }
        return "\(whole / 10).\(whole % 10)"
    }
}
