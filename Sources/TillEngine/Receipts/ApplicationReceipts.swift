import FoundationEssentials
import TillModel

/// Makes applications' receipts, and sends them in parts.
final class ApplicationReceipts: Sendable {
    /// The newest purchases that an application's receipt holds.
    static let purchasesMaximum = 10_000
    /// Applications' receipts that are made at once, each for another account.
    static let makingsMaximum = 2
    /// Applications' receipts that are being made or read, each for another user.
    static let documentsMaximum = 4
    /// How long a client may take to read an application's receipt once it is made.
    static let patience = Duration.seconds(10)

    private let receipts: Receipts
    private let access: LedgerAccess
    private let time: any TimeSource
    /// The accounts whose applications' receipts are being made.
    private let makings = FairSemaphore<String>(maximum: makingsMaximum)
    /// The users that are reading an application's receipt.
    let documents = FairSemaphore<UInt32>(maximum: documentsMaximum)

    init(_ receipts: Receipts, access: LedgerAccess, time: any TimeSource) {
        self.receipts = receipts
        self.access = access
        self.time = time
    }

    /// Makes the application's receipt, and sends it in parts. A user has one at a time until it is sent, so that a client
    /// which does not read holds one document, and no longer than ``patience``.
    ///
    /// - Throws: As ``make(for:)``, and what `send` throws; `deadlineExceeded` when it takes too long.
    func send(
        for name: QueueName,
        to user: UInt32,
        partMaximum: Int,
        send: @Sendable @escaping ([UInt8]) async throws -> Void
    ) async throws {
        try await documents.acquire(user)
        defer { documents.release(user) }
        let document = Array(try await make(for: name).compact.utf8)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for start in stride(from: 0, to: document.count, by: partMaximum) {
                    try await send(Array(document[start..<min(start + partMaximum, document.count)]))
                }
            }
            group.addTask {
                try await self.time.sleep(for: Self.patience)
                throw TillError(.deadlineExceeded, "The receipt was not read in time.")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The application's receipt for the queue: its purchases, without finished consumables and restored transactions.
    ///
    /// - Throws: `failedPrecondition` when nothing is signed here.
    func make(for name: QueueName) async throws(TillError) -> SignedReceipt {
        let signer = try receipts.requireSigner()
        try await makings.acquire(name.account)
        defer { makings.release(name.account) }
        let now = time.now().roundedToMilliseconds
        let facts = try await access.read { try self.facts(for: name, at: now, signer, $0) }
        do {
            // Thousands of purchases take a while, in which the caller's event loop has others to serve.
            return try await withTaskExecutorPreference(globalConcurrentExecutor) { try signer.sign(facts) }
        } catch let error as TillError {
            throw error
        } catch {
            throw TillError(.internal, "The receipt could not be signed.", cause: error)
        }
    }

    private func facts(
        for name: QueueName,
        at now: Date,
        _ signer: any ReceiptSigner,
        _ ledger: any LedgerReader
    ) throws -> ApplicationReceiptFacts {
        let queue = try ledger.queue(name)
        var facts = ApplicationReceiptFacts(
            application: name.application,
            appTransactionID: queue.map { receipts.numbering.applications.identifier(ofKey: $0.key) },
            originalPurchaseDate: nil,
            receipts: [],
            date: now
        )
        guard let queue else {
            return facts
        }
        facts.originalPurchaseDate = queue.beganAt
        var key = Int64.max
        while facts.receipts.count < Self.purchasesMaximum {
            let limit = min(PaymentEngine.pageMaximum, Self.purchasesMaximum - facts.receipts.count)
            let page = try ledger.receiptTransactions(in: queue.key, beforeKey: key, limit: limit)
            for record in page {
                // A purchase from before there were receipts is signed here.
                let receipt =
                    try record.receipt
                    ?? signer.sign(receipts.facts(of: record, in: queue, at: now, ledger))
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
