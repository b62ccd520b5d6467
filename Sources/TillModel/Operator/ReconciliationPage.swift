/// One page of a comparison of the ledger's charges with the provider's.
public struct ReconciliationPage: Hashable, Sendable {
    public static let rowsMaximum = 128

    /// At most ``rowsMaximum``.
    public var rows: [ReconciliationRow]
    /// The start of the next page; nil after the last.
    public var next: UInt64?
    /// Whether this page has no discrepancy.
    public var agrees: Bool
    /// The number of charges that this page compares.
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
