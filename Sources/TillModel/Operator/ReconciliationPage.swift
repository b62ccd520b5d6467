/// A part of the ledger's charges held against the provider's.
public struct ReconciliationPage: Hashable, Sendable {
    public static let rowsMaximum = 128

    /// At most ``rowsMaximum``.
    public var rows: [ReconciliationRow]
    /// Where the next page begins; nil after the last.
    public var next: UInt64?
    /// Whether nothing is wrong on this page.
    public var agrees: Bool
    /// How many charges this page compared.
    public var compared: Int

    public init(
        rows: [ReconciliationRow],
        next: UInt64? = nil,
        agrees: Bool,
        compared: Int
    ) {
        self.rows = rows
        self.next = next
        self.agrees = agrees
        self.compared = compared
    }
}
