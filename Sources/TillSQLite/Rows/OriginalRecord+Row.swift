import TillEngine

extension OriginalRecord {
    /// The columns of an original `o` after its key.
    static let columns = "o.id, coalesce(o.purchased_at, o.created_at) AS original_date"

    init(_ columns: inout Columns) throws {
        self.init(key: try columns.integer(), id: try columns.uuid(), purchasedAt: try columns.date())
    }

    init?(ifPresentIn columns: inout Columns) throws {
        guard let key = try columns.integerIfPresent() else {
            return nil
        }
        self.init(key: key, id: try columns.uuid(), purchasedAt: try columns.date())
    }
}
