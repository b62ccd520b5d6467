import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// The newest purchases that an application's receipt holds.
    package static let receiptPurchasesMaximum = 10_000
    /// Applications' receipts that are made at once, each of another account.
    static let receiptMakingsMaximum = 2
    /// Applications' receipts that are made or not read yet, each for another user.
    static let receiptDocumentsMaximum = 4
    /// How long an application's receipt may take to be read once it is made.
    package static let receiptPatience = Duration.seconds(10)

    /// Makes the application's receipt, and hands it over in parts. A user has one at a time until that is done, so that
    /// whoever does not read holds one document, and no longer than ``receiptPatience``.
    ///
    /// - Throws: As ``applicationReceipt(of:)``, and what `send` throws; `deadlineExceeded` when it takes too long.
    package func sendApplicationReceipt(
        of name: QueueName,
        to user: UInt32,
        partMaximum: Int,
        send: @Sendable @escaping ([UInt8]) async throws -> Void
    ) async throws {
        try await receiptDocuments.begin(user)
        defer { receiptDocuments.end(user) }
        let document = Array(try await applicationReceipt(of: name).compact.utf8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for start in stride(from: 0, to: document.count, by: partMaximum) {
                    try await send(Array(document[start..<min(start + partMaximum, document.count)]))
                }
            }
            group.addTask {
                try await self.time.sleep(for: Self.receiptPatience)
                throw TillError(.deadlineExceeded, "The receipt was not read in time.")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The application's receipt for the queue: its purchases, without consumables that are finished, and without what
    /// was only restored.
    ///
    /// - Throws: `failedPrecondition` when nothing is signed here.
    package func applicationReceipt(of name: QueueName) async throws(TillError) -> SignedReceipt {
        let signer = try signer()
        try await receiptMakings.begin(name.account)
        defer { receiptMakings.end(name.account) }
        let now = time.now().roundedToMilliseconds
        let facts = try await read { try self.receiptFacts(of: name, at: now, signer, $0) }
        do {
            // Thousands of purchases take a while, in which the caller's event loop has others to serve.
            return try await withTaskExecutorPreference(globalConcurrentExecutor) { try signer.sign(facts) }
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.internal, "The receipt could not be signed.", cause: error)
        }
    }

    private func receiptFacts(
        of name: QueueName,
        at now: Date,
        _ signer: any ReceiptSigner,
        _ ledger: any LedgerReader
    ) throws -> ApplicationReceiptFacts {
        let queue = try ledger.queue(name)
        var facts = ApplicationReceiptFacts(
            application: name.application,
            appTransactionID: queue.map { numbering.applications.identifier(ofKey: $0.key) },
            originalPurchaseDate: nil,
            receipts: [],
            date: now
        )
        guard let queue else {
            return facts
        }
        facts.originalPurchaseDate =
            try ledger.transactions(in: queue.key, afterKey: 0, includeFinished: true, limit: 1).first?.createdAt
        var key = Int64.max
        while facts.receipts.count < Self.receiptPurchasesMaximum {
            let limit = min(Self.pageMaximum, Self.receiptPurchasesMaximum - facts.receipts.count)
            let page = try ledger.receiptTransactions(in: queue.key, beforeKey: key, limit: limit)
            for record in page {
                // What was bought before receipts were is signed here.
                let receipt =
                    try record.receipt
                    ?? signer.sign(receiptFacts(record, in: queue, at: now, ledger))
                facts.receipts.append(receipt)
            }
            guard page.count == limit, let last = page.last else {
                break
            }
            key = last.key
        }
        facts.receipts.reverse()
        return facts
    }
}
