import FoundationEssentials
import TillModel

/// Something that happened to a transaction.
struct HistoryLine: TableRow {
    static let headings = ["WHEN", "WHO", "WHAT"]

    let entry: HistoryEntry

    var columns: [String] {
        let kind =
            switch entry.kind {
            case .change: ""
            case .providerCall, .delivery: "\(entry.kind.title): "
            }
        return [entry.date.timestamp, entry.actor, kind + entry.detail]
    }

    private enum Key: String, CodingKey {
        case date, kind, actor, detail
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(entry.date.timestamp, forKey: .date)
        try container.encode(entry.kind.name, forKey: .kind)
        try container.encode(entry.actor, forKey: .actor)
        try container.encode(entry.detail, forKey: .detail)
    }
}
