import TillModel

/// Why a transaction is as it is: a sentence, what happened, the money, and what can be done.
struct ExplanationOutput: Output {
    let explanation: Explanation

    var lines: [String] {
        let head = [
            explanation.sentence,
            TransactionLine(transaction: explanation.transaction).text,
            "application: \(explanation.application)",
            "account: \(explanation.account)",
        ]
        let actions = explanation.actions.map { "  \($0)" }
        return head + Self.section("History", explanation.history.map(HistoryLine.init))
            + Self.section("Charges", explanation.charges.map(ChargeLine.init))
            + Self.section("Refunds", explanation.refunds.map(RefundLine.init))
            + (actions.isEmpty ? [] : ["", "Safe now:"] + actions)
    }

    /// A table under its title, or nothing without rows.
    private static func section<Row: TableRow>(_ title: String, _ rows: [Row]) -> [String] {
        guard !rows.isEmpty else {
            return []
        }
        let table = Table(headings: Row.headings, rows: rows.map(\.columns))
        return ["", "\(title):"] + table.lines.map { "  \($0)" }
    }

    private enum Key: String, CodingKey {
        case application, account, transaction, sentence, actions, history, charges, refunds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(explanation.application, forKey: .application)
        try container.encode(explanation.account, forKey: .account)
        try container.encode(TransactionLine(transaction: explanation.transaction), forKey: .transaction)
        try container.encode(explanation.sentence, forKey: .sentence)
        try container.encode(explanation.actions, forKey: .actions)
        try container.encode(explanation.history.map(HistoryLine.init), forKey: .history)
        try container.encode(explanation.charges.map(ChargeLine.init), forKey: .charges)
        try container.encode(explanation.refunds.map(RefundLine.init), forKey: .refunds)
    }
}
