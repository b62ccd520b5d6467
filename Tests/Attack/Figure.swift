/// Formats numbers for tables.
enum Figure {
    /// Aligns a number at the right of a column.
    static func column(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(width - digits.count, 0)) + digits
    }

    /// The value below which this many thousandths of the values lie; 0 if there are no values.
    static func quantile(_ thousandths: Int, of sorted: [Double]) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count * thousandths / 1000, sorted.count - 1)]
    }
}
