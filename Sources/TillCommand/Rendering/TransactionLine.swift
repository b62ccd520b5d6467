import FoundationEssentials
import TillModel

/// A transaction.
struct TransactionLine: OutputLine {
    let transaction: Transaction

    /// Product and quantity, state, then what there is, by name.
    var text: String {
        let product = "\(transaction.payment.productID) ×\(transaction.payment.quantity)"
        let details = details.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        let error = transaction.error.map { "  \(ErrorLine(error: $0).text)" } ?? ""
        return "\(product)  \(transaction.state.name)  \(details)\(error)"
    }

    private var details: [(name: String, value: String)] {
        let optional: [(name: String, value: String?)] = [
            ("id", transaction.id.text),
            ("identifier", transaction.purchase?.transactionIdentifier),
            ("revision", "\(transaction.revision)"),
            ("date", transaction.purchase?.transactionDate.timestamp),
            ("original", transaction.original?.purchase.transactionIdentifier),
            ("username", transaction.payment.applicationUsername),
            ("waits-for", transaction.blocker?.words(separator: "-")),
            ("deadline", transaction.deadline?.timestamp),
            ("continues", transaction.continues?.text),
            ("downloads", downloads),
            ("finished", transaction.isFinished ? "yes" : nil),
        ]
        let revocation = transaction.revocation.map { RevocationFields(revocation: $0).details } ?? []
        let term = transaction.subscription.map { TermFields(term: $0).details } ?? []
        return optional.compactMap { detail in detail.value.map { (detail.name, $0) } } + term + revocation
    }

    /// How many are finished, of how many.
    private var downloads: String? {
        let count = transaction.downloads.count
        return count == 0 ? nil : "\(transaction.downloads.count { $0.state == .finished })/\(count)"
    }

    private enum Key: String, CodingKey {
        case id, state, quantity, revision, error, original, blocker, deadline, continues, revocation, subscription
        case receipt, downloads
        case productID = "product_id"
        case applicationUsername = "application_username"
        case transactionIdentifier = "transaction_identifier"
        case transactionDate = "transaction_date"
        case isFinished = "is_finished"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(transaction.id.text, forKey: .id)
        try container.encode(transaction.state.name, forKey: .state)
        try container.encode(transaction.payment.productID, forKey: .productID)
        try container.encode(transaction.payment.quantity, forKey: .quantity)
        try container.encode(transaction.revision, forKey: .revision)
        try container.encode(transaction.isFinished, forKey: .isFinished)
        try container.encodeIfPresent(transaction.payment.applicationUsername, forKey: .applicationUsername)
        try container.encodeIfPresent(transaction.purchase?.transactionIdentifier, forKey: .transactionIdentifier)
        try container.encodeIfPresent(transaction.purchase?.transactionDate.timestamp, forKey: .transactionDate)
        try container.encodeIfPresent(transaction.original.map(Original.init), forKey: .original)
        try container.encodeIfPresent(transaction.error.map(ErrorLine.init), forKey: .error)
        try container.encodeIfPresent(transaction.blocker?.name, forKey: .blocker)
        try container.encodeIfPresent(transaction.deadline?.timestamp, forKey: .deadline)
        try container.encodeIfPresent(transaction.continues?.text, forKey: .continues)
        try container.encodeIfPresent(transaction.revocation.map(RevocationFields.init), forKey: .revocation)
        try container.encodeIfPresent(transaction.subscription.map(TermFields.init), forKey: .subscription)
        try container.encodeIfPresent(transaction.receipt, forKey: .receipt)
        if !transaction.downloads.isEmpty {
            try container.encode(transaction.downloads.map(DownloadLine.init), forKey: .downloads)
        }
    }

    private struct Original: Encodable {
        let original: OriginalTransaction

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(original.id.text, forKey: .id)
            try container.encode(original.purchase.transactionIdentifier, forKey: .transactionIdentifier)
            try container.encode(original.purchase.transactionDate.timestamp, forKey: .transactionDate)
        }
    }
}
