import TillModel

extension AuditLink {
    static let selection =
        "SELECT sequence, date, uid, action, subject, detail, reason, previous_hash, hash FROM audit"

    init(_ columns: inout Columns) throws {
        let sequence = try columns.integer()
        let date = try columns.date()
        guard let uid = UInt32(exactly: try columns.integer()) else {
            throw columns.unreadable()
        }
        self.init(
            sequence: sequence,
            date: date,
            uid: uid,
            action: try columns.text(),
            subject: try columns.text(),
            detail: try columns.text(),
            reason: try columns.text(),
            previousHash: try columns.bytes(),
            hash: try columns.bytes()
        )
    }

    var values: [SQLValue] {
        [
            SQLValue(sequence), SQLValue(date), SQLValue(Int64(uid)), SQLValue(action), SQLValue(subject),
            SQLValue(detail), SQLValue(reason), SQLValue(previousHash), SQLValue(hash),
        ]
    }
}
