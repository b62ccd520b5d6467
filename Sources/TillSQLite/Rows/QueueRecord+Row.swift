import TillEngine

extension QueueRecord {
    static let selection = "SELECT key, application, account, revision, floor FROM queues"

    init(_ columns: inout Columns) throws {
        self.init(
            key: try columns.integer(),
            name: QueueName(application: try columns.text(), account: try columns.text()),
            revision: try columns.revision(),
            floor: try columns.revision()
        )
    }
}
