import TillModel

/// A transaction of any queue.
struct FoundTransactionLine: OutputLine {
    let found: OperatorTransaction

    var text: String {
        let review = found.needsReview ? "  NEEDS REVIEW" : ""
        return
            "\(found.application)  \(found.account)  \(TransactionLine(transaction: found.transaction).text)\(review)"
    }

    private enum Key: String, CodingKey {
        case application, account, transaction
        case needsReview = "needs_review"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(found.application, forKey: .application)
        try container.encode(found.account, forKey: .account)
        try container.encode(TransactionLine(transaction: found.transaction), forKey: .transaction)
        try container.encode(found.needsReview, forKey: .needsReview)
    }
}
