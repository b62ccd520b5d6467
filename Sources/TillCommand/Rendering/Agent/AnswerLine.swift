import FoundationEssentials
import TillModel

/// What became of a question.
struct AnswerLine: OutputLine {
    let id: UUID
    let kind: AuthorizationRequest.Kind
    let outcome: AgentOutcome

    var text: String {
        "\(id.text)  \(kind.title)  \(outcome.title)"
    }

    private enum Key: String, CodingKey {
        case id, kind, outcome
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id.text, forKey: .id)
        try container.encode(kind.name, forKey: .kind)
        try container.encode(outcome.name, forKey: .outcome)
    }
}
