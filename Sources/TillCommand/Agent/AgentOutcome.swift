/// What became of a question that an agent had.
enum AgentOutcome: Hashable, Sendable, CaseNamed {
    case approved
    case declined
    /// Nobody answered in the time that the agent gives.
    case declinedAfterTimeout
    /// Left open, for others to answer.
    case skipped
    /// Answered by somebody else, or too late to be answered.
    case withdrawn
    /// The agent leaves.
    case left

    /// What the daemon is told; nil for nothing.
    var approval: Bool? {
        switch self {
        case .approved: true
        case .declined, .declinedAfterTimeout: false
        case .skipped, .withdrawn, .left: nil
        }
    }

    /// What a typed line says; nil when it says none of what was asked for.
    init?(typed line: String) {
        switch line.trimmingPrefix(while: \.isWhitespace).lowercased().split(separator: " ").first ?? "" {
        case "y", "yes": self = .approved
        case "", "n", "no": self = .declined
        case "s", "skip": self = .skipped
        default: return nil
        }
    }
}
