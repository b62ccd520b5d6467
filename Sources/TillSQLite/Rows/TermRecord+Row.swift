import TillEngine

extension TermRecord {
    /// The columns of a term, in the order of ``init(ifPresentIn:)`` and ``values(_:)``.
    static let columns = """
        t.subscription_key, t.term_group, t.term_start, t.term_end, t.term_is_renewal, t.term_is_upgraded
        """

    init?(ifPresentIn columns: inout Columns) throws {
        guard let subscription = try columns.integerIfPresent() else {
            columns.skip(5)
            return nil
        }
        self.init(
            subscription: subscription,
            groupID: try columns.text(),
            start: try columns.date(),
            end: try columns.date(),
            isRenewal: try columns.flag(),
            isUpgraded: try columns.flag()
        )
    }

    static func values(_ term: TermRecord?) -> [SQLValue] {
        [
            SQLValue(term?.subscription), SQLValue(term?.groupID), SQLValue(term?.start), SQLValue(term?.end),
            SQLValue(term?.isRenewal), SQLValue(term?.isUpgraded),
        ]
    }
}
