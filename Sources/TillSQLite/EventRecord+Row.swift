import TillEngine
import TillModel

extension EventRecord {
    static let selection =
        "SELECT t.revision, t.queue, t.restore_id, t.restored_count, \(PaymentError.columns) FROM events t"

    init(_ columns: inout Columns) throws {
        let revision = try columns.revision()
        let queue = try columns.integer()
        let restore = try columns.uuid()
        let count = try columns.integerIfPresent()
        let error = try PaymentError(ifPresentIn: &columns)
        switch (count.map(Int.init(exactly:)), error) {
        case (.some(.some(let count)), nil):
            self.init(queue: queue, revision: revision, kind: .restoreFinished(id: restore, count: count))
        case (nil, .some(let error)):
            self.init(queue: queue, revision: revision, kind: .restoreFailed(id: restore, error: error))
        default:
            throw columns.unreadable()
        }
    }

    var values: [SQLValue] {
        switch kind {
        case .restoreFinished(let id, let count):
            [SQLValue(revision), SQLValue(queue), SQLValue(id), SQLValue(count)] + PaymentError.values(nil)
        case .restoreFailed(let id, let error):
            [SQLValue(revision), SQLValue(queue), SQLValue(id), .null] + PaymentError.values(error)
        }
    }
}
