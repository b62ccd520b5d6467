import TillEngine
import TillModel

extension RestoreRecord {
    static let selection = """
        SELECT id, queue, application_username, state, revision, cursor, count, created_at, deadline
        FROM restores
        """

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.uuid(),
            queue: try columns.integer(),
            applicationUsername: try columns.textIfPresent(),
            state: try columns.value(RestoreState.self),
            revision: try columns.revision(),
            cursor: try columns.integer(),
            count: try columns.int(),
            createdAt: try columns.date(),
            deadline: try columns.date()
        )
    }

    var values: [SQLValue] {
        [
            SQLValue(id), SQLValue(queue), SQLValue(applicationUsername), SQLValue(state.rawValue),
            SQLValue(revision), SQLValue(cursor), SQLValue(count), SQLValue(createdAt), SQLValue(deadline),
        ]
    }
}
