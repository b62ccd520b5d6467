/// A measured quantity with the values of all repetitions.
struct Quantity: Codable, Sendable {
    let name: String
    let unit: String
    private(set) var values: [Double] = []

    init(_ name: String, _ unit: String, _ values: [Double] = []) {
        self.name = name
        self.unit = unit
        self.values = values
    }

    mutating func note(_ value: Double) {
        values.append(value)
    }

    var median: Double? {
        let sorted = values.sorted()
        return sorted.isEmpty ? nil : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
