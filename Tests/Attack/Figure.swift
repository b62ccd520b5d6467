/// Numbers for tables.
enum Figure {
    /// A number at the right of a column.
    static func column(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(width - digits.count, 0)) + digits
    }

    /// The value below which so many of a thousand lie; zero of nothing.
    static func quantile(_ thousandths: Int, of sorted: [Double]) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count * thousandths / 1000, sorted.count - 1)]
    }
}
