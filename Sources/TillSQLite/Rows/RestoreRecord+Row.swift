import TillEngine
import TillModel

extension RestoreRecord {
    static let selection = """
        SELECT t.id, t.queue, t.application_username, t.revision, t.total, t.created_at, t.state, t.cursor, t.count,
            t.deadline, \(PaymentError.columns)
        FROM restores t
        """

    init(_ columns: inout Columns) throws {
        let id = try columns.uuid()
        let queue = try columns.integer()
        let username = try columns.textIfPresent()
        let revision = try columns.revision()
        let total = try columns.int()
        let createdAt = try columns.date()
        let state = try columns.value(RestoreState.self)
        let cursor = try columns.integer()
        let count = try columns.int()
        let deadline = try columns.date()
        self.init(
            id: id,
            queue: queue,
            applicationUsername: username,
            state: state,
            revision: revision,
            cursor: cursor,
            count: count,
            total: total,
            error: try PaymentError(ifPresentIn: &columns),
            createdAt: createdAt,
            deadline: deadline
        )
    }

    /// The values of the columns that never change.
    var fixedValues: [SQLValue] {
        [
            SQLValue(id), SQLValue(queue), SQLValue(applicationUsername), SQLValue(revision), SQLValue(total),
            SQLValue(createdAt),
        ]
    }

    /// The values of the columns from `state` on, all of which may change.
    var changingValues: [SQLValue] {
        [SQLValue(state.rawValue), SQLValue(cursor), SQLValue(count), SQLValue(deadline)] + PaymentError.values(error)
    }
}
