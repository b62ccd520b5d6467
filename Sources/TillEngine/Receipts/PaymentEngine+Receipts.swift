package import FoundationEssentials
import Logging
package import TillModel

extension PaymentEngine {
    /// Stores a transaction that becomes purchased or restored, with its downloads and its receipt.
    ///
    /// - Parameter signedAhead: Its receipt, if that was signed before this commit: it stands if it still says what is so.
    func saveComplete(
        _ transaction: TransactionRecord,
        in queue: QueueRecord,
        signedAhead: SignedAhead? = nil,
        _ context: inout CommandContext
    ) throws -> TransactionRecord {
        var transaction = transaction
        let downloads = try prepare(&transaction, context)
        try sign(&transaction, in: queue, signedAhead: signedAhead, context)
        return try store(transaction, downloads, &context)
    }

    /// The same of many, whose receipts are signed together.
    func saveComplete(_ transactions: [TransactionRecord], in queue: QueueRecord, _ context: inout CommandContext)
        throws
    {
        var granted = transactions
        let downloads = try granted.indices.map { try prepare(&granted[$0], context) }
        let facts = try granted.map { try receiptFacts($0, in: queue, at: context.now, context.ledger) }
        for (index, outcome) in (receipts?.sign(facts) ?? []).enumerated() {
            keep(outcome, in: &granted[index])
        }
        for (granted, downloads) in zip(granted, downloads) {
            _ = try store(granted, downloads, &context)
        }
    }

    /// Gives a transaction that was stored as purchased in this commit, so that nobody has seen it yet, its downloads and
    /// its receipt.
    func complete(
        _ transaction: inout TransactionRecord,
        in queue: QueueRecord,
        _ context: inout CommandContext
    ) throws {
        let downloads = try prepare(&transaction, context)
        try sign(&transaction, in: queue, context)
        try context.restate(transaction)
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
        let downloads = newDownloads(of: transaction)
        transaction.hasDownloads = !downloads.isEmpty
        return downloads
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

    /// Signs a transaction again because what its receipt says has changed. The caller stores it.
    func signAgain(_ transaction: inout TransactionRecord, _ context: CommandContext) throws {
        guard transaction.state == .purchased || transaction.state == .restored,
            let queue = try context.ledger.queue(key: transaction.queue)
        else {
            return
        }
        try sign(&transaction, in: queue, context)
    }

    /// The certificate that the chains of all receipts end in, DER.
    ///
    /// - Throws: `failedPrecondition` when nothing is signed here.
    package func receiptRoot() throws(TillError) -> [UInt8] {
        try signer().rootCertificate
    }

    /// Signs a transaction anew from what the ledger holds, and stores it as its receipt.
    ///
    /// - Throws: `notFound`, `failedPrecondition` for what is neither purchased nor restored: nothing happened.
    package func rebuildReceipt(
        of id: UUID,
        by identity: OperatorIdentity
    ) async throws(TillError) -> Transaction {
        _ = try signer()
        try identity.validate()
        return try await commit { context -> Result<Transaction, TillError> in
            guard var transaction = try context.ledger.transaction(id) else {
                return .failure(TillError(.notFound, "There is no transaction \(id.text)."))
            }
            guard transaction.state == .purchased || transaction.state == .restored else {
                return .failure(
                    TillError(.failedPrecondition, "A \(transaction.state) transaction has no receipt: \(id.text).")
                )
            }
            try self.signAgain(&transaction, context)
            guard transaction.receipt != nil else {
                return .failure(TillError(.internal, "The transaction could not be signed: \(id.text)."))
            }
            try context.audit("RebuildReceipt", subject: id.text, detail: "", by: identity)
            try context.note(transaction.key, by: identity.actor, "receipt signed anew")
            try self.amend(transaction, &context)
            return .success(transaction.transaction(identifiedBy: self.numbering))
        }
    }

    func signer() throws(TillError) -> any ReceiptSigner {
        guard let receipts else {
            throw TillError(.failedPrecondition, "This store signs no receipts.")
        }
        return receipts
    }

    /// What cannot be signed now is left without a receipt: no purchase is lost for that.
    private func sign(
        _ transaction: inout TransactionRecord,
        in queue: QueueRecord,
        signedAhead: SignedAhead? = nil,
        _ context: CommandContext
    ) throws {
        guard let receipts else {
            return
        }
        let facts = try receiptFacts(transaction, in: queue, at: context.now, context.ledger)
        if let signedAhead, signedAhead.facts.saysTheSame(as: facts) {
            transaction.receipt = signedAhead.receipt
            return
        }
        keep(Result { try receipts.sign(facts) }, in: &transaction)
    }

    private func keep(_ outcome: Result<SignedReceipt, any Error>, in transaction: inout TransactionRecord) {
        do {
            transaction.receipt = try outcome.get()
        } catch {
            // What it had may say something else by now.
            transaction.receipt = nil
            logger.error("A transaction could not be signed", metadata: ["error": "\(error)"])
        }
    }
}
