import Dispatch

/// Which answers of the daemon callers block for. While the daemon is away nobody blocks again.
struct Inquiries {
    enum Question: Hashable, Sendable {
        case storefront
        case canMakePayments
    }

    /// The callers that block, by the questions that are under way.
    private var waiting: [Question: [DispatchSemaphore]] = [:]
    /// Whether the daemon did not answer last time, or its connection was lost.
    var isAway = false

    /// - Returns: What to wait for, nil while the daemon is away; and whether the daemon has to be asked, because the
    ///   question is not under way.
    mutating func begin(_ question: Question) -> (answered: DispatchSemaphore?, isFirst: Bool) {
        let isFirst = waiting[question] == nil
        let answered = isAway ? nil : DispatchSemaphore(value: 0)
        waiting[question, default: []] += answered.map { [$0] } ?? []
        return (answered, isFirst)
    }

    /// - Returns: The callers that wait no longer.
    mutating func end(_ question: Question, isAway: Bool) -> [DispatchSemaphore] {
        self.isAway = isAway
        return waiting.removeValue(forKey: question) ?? []
    }
}
