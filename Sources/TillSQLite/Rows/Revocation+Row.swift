import TillModel

extension Revocation {
    /// The columns of a revocation, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = "t.revocation_date, t.revocation_reason, t.revocation_quantity"

    init?(ifPresentIn columns: inout Columns) throws {
        guard let date = try columns.dateIfPresent() else {
            columns.skip(2)
            return nil
        }
        self.init(date: date, reason: try columns.value(Reason.self), quantity: try columns.int())
    }

    static func values(_ revocation: Revocation?) -> [SQLValue] {
        [SQLValue(revocation?.date), SQLValue(revocation?.reason.rawValue), SQLValue(revocation?.quantity)]
    }
}
