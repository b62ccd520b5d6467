import FoundationEssentials
import TillModel

/// A transaction that is out of its queue.
struct FinishedLine: OutputLine {
    let id: UUID

    var text: String {
        "\(id.text)  finished"
    }

    private enum Key: String, CodingKey {
        case id
        case isFinished = "is_finished"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id.text, forKey: .id)
        try container.encode(true, forKey: .isFinished)
    }
}
