import FoundationEssentials
import TillClient

/// How far a restore has come.
struct RestoreLine: OutputLine {
    let id: UUID
    let state: RestoreState
    let restoredCount: Int
    let totalCount: Int
    var error: PaymentError?

    var text: String {
        let error = error.map { "  \(ErrorLine(error: $0).text)" } ?? ""
        return "\(id.text)  \(state.title)  \(restoredCount) of \(totalCount)\(error)"
    }

    private enum Key: String, CodingKey {
        case id, state, error
        case restoredCount = "restored_count"
        case totalCount = "total_count"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id.text, forKey: .id)
        try container.encode(state.name, forKey: .state)
        try container.encode(restoredCount, forKey: .restoredCount)
        try container.encode(totalCount, forKey: .totalCount)
        try container.encodeIfPresent(error.map(ErrorLine.init), forKey: .error)
    }
}

extension RestoreLine {
    init(_ progress: RestoreProgress) {
        self.init(
            id: progress.id,
            state: progress.state,
            restoredCount: progress.restoredCount,
            totalCount: progress.totalCount,
            error: progress.error
        )
    }
}
