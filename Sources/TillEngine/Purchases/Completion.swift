import TillModel

/// Stores transactions that become purchased or restored, with their downloads and receipts.
struct Completion: Sendable {
    let receipts: Receipts
    let downloads: Downloads

    /// - Parameter signedAhead: Its receipt, if that was signed before this commit: it is used if its facts still hold.
    func save(
        _ transaction: TransactionRecord,
        in queue: QueueRecord,
        signedAhead: SignedAhead? = nil,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        var transaction = transaction
        let downloads = try prepare(&transaction, context)
        try receipts.sign(&transaction, in: queue, signedAhead: signedAhead, context)
        return try store(transaction, downloads, &context)
    }

    /// The same for the page of a restore, whose other receipts are signed together.
    func save(
        _ transactions: [TransactionRecord],
        in queue: QueueRecord,
        signedAhead: SignedPage,
        _ context: inout CommandContext
    ) throws {
        var granted = transactions
        let downloads = try granted.indices.map { try prepare(&granted[$0], context) }
        try receipts.sign(&granted, in: queue, signedAhead: signedAhead, context)
        for (granted, downloads) in zip(granted, downloads) {
            _ = try store(granted, downloads, &context)
        }
    }

    /// Gives a transaction its downloads and its receipt that was stored as purchased in this commit, so that nobody has
    /// seen it yet.
    func complete(
        _ transaction: inout TransactionRecord,
        in queue: QueueRecord,
        _ context: inout CommandContext
    ) throws {
        let downloads = try prepare(&transaction, context)
        try receipts.sign(&transaction, in: queue, context)
        try context.updateSilently(transaction)
        try context.insert(downloads, of: &transaction)
    }

    /// Gives the transaction the key that its receipt names, and makes its downloads, which are to be stored after it.
    private func prepare(
        _ transaction: inout TransactionRecord,
        _ context: CommandContext
    ) throws -> [DownloadRecord] {
        if transaction.key == 0 {
            transaction.key = try context.ledger.newTransactionKey()
        }
        let made = downloads.make(for: transaction)
        transaction.hasDownloads = !made.isEmpty
        return made
    }

    private func store(
        _ transaction: TransactionRecord,
        _ downloads: [DownloadRecord],
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        var saved = try context.save(transaction)
        try context.insert(downloads, of: &saved)
        return saved
    }
}
