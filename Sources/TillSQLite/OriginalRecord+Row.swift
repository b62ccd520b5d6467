import TillEngine

extension OriginalRecord {
    init(_ columns: inout Columns) throws {
        self.init(key: try columns.integer(), id: try columns.uuid(), createdAt: try columns.date())
    }

    init?(ifPresentIn columns: inout Columns) throws {
        guard let key = try columns.integerIfPresent() else {
            return nil
        }
        self.init(key: key, id: try columns.uuid(), createdAt: try columns.date())
    }
}
