import TillModel

/// What a check of catalogue files found in all.
struct CheckSummaryLine: OutputLine {
    var fileCount: Int
    /// Of the files without errors.
    var productCounts: [ProductType: Int]
    /// Pieces that the store hosts for those products.
    var contentCount: Int
    var errorCount: Int
    var warningCount: Int

    var text: String {
        let total = productCounts.values.reduce(0, +)
        let kinds = ProductType.allCases.compactMap { type in
            productCounts[type].flatMap { $0 == 0 ? nil : "\($0) \(type.title)" }
        }
        let products = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
        let pieces = contentCount == 1 ? "1 piece" : "\(contentCount) pieces"
        let contents = contentCount == 0 ? "" : "\(pieces) of content, "
        return "\(Self.count(fileCount, "file")): \(Self.count(total, "product"))\(products), \(contents)"
            + "\(Self.count(errorCount, "error")), \(Self.count(warningCount, "warning"))"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    private enum Key: String, CodingKey {
        case files, products, contents, errors, warnings
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(fileCount, forKey: .files)
        let named = ProductType.allCases.map { ($0.name, productCounts[$0] ?? 0) }
        try container.encode(Dictionary(named) { first, _ in first }, forKey: .products)
        try container.encode(contentCount, forKey: .contents)
        try container.encode(errorCount, forKey: .errors)
        try container.encode(warningCount, forKey: .warnings)
    }
}
