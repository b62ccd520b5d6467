import Testing

/// Every constraint and every semantic row has a test whose name contains its identifier.
@Suite struct RowTests {
    static let rows = (1...42).map { "C\($0)" } + (1...56).map { "S-\($0)" }

    @Test(arguments: rows)
    func everyRowHasATest(_ row: String) throws {
        let named = try Sources.texts(in: "Tests/StoreKitTests").filter { text in
            text.contains("@Test(\"\(row): ") || text.contains(" \"\(row): ")
        }
        #expect(!named.isEmpty, "\(row) has no test")
    }
}
