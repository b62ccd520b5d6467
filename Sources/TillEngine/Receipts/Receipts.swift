import FoundationEssentials
import Logging
import TillModel

/// Signs transactions and renewal information from what the ledger holds.
final class Receipts: Sendable {
    /// Nil where nothing is signed.
    let signer: (any ReceiptSigner)?
    let catalogue: StoreCatalogue
    let numbering: LedgerNumbering
    private let logger: Logger

    init(
        signer: (any ReceiptSigner)?,
        catalogue: StoreCatalogue,
        numbering: LedgerNumbering,
        logger: Logger
    ) {
        self.signer = signer
        self.catalogue = catalogue
        self.numbering = numbering
        self.logger = logger
    }

    /// - Throws: `failedPrecondition` when nothing is signed here.
    func requireSigner() throws(TillError) -> any ReceiptSigner {
        guard let signer else {
            throw TillError(.failedPrecondition, "This store signs no receipts.")
        }
        return signer
    }

    /// Signs a transaction that becomes purchased or restored. One that cannot be signed now is left without a receipt:
    /// no purchase is lost for that.
    ///
    /// - Parameter signedAhead: Its receipt, if that was signed before this commit: it is used if its facts still hold.
    func sign(
        _ transaction: inout TransactionRecord,
        in queue: QueueRecord,
        signedAhead: SignedAhead? = nil,
        _ context: CommandContext
    ) throws {
        guard let signer else {
            return
        }
        let facts = try facts(of: transaction, in: queue, at: context.now, context.ledger)
        if let receipt = signedAhead?.receipt(stating: facts) {
            transaction.receipt = receipt
            return
        }
        keep(Result { try signer.sign(facts) }, in: &transaction)
    }

    /// The same for the page of a restore, whose other receipts are signed together.
    func sign(
        _ transactions: inout [TransactionRecord],
        in queue: QueueRecord,
        signedAhead: SignedPage,
        _ context: CommandContext
    ) throws {
        guard let signer else {
            return
        }
        let facts = try transactions.map { try self.facts(of: $0, in: queue, at: context.now, context.ledger) }
        var unsigned: [Int] = []
        for index in transactions.indices {
            if let receipt = transactions[index].repeats.flatMap({ signedAhead[$0] })?.receipt(stating: facts[index]) {
                transactions[index].receipt = receipt
            } else {
                unsigned.append(index)
            }
        }
        for (index, outcome) in zip(unsigned, signer.sign(unsigned.map { facts[$0] })) {
            keep(outcome, in: &transactions[index])
        }
    }

    /// Signs a transaction again because the facts in its receipt have changed. The caller stores it.
    func signAgain(_ transaction: inout TransactionRecord, _ context: CommandContext) throws {
        guard transaction.state == .purchased || transaction.state == .restored,
            let queue = try context.ledger.queue(key: transaction.queue)
        else {
            return
        }
        try sign(&transaction, in: queue, context)
    }

    /// Signs a transaction again from what the ledger holds, and stores it as its receipt.
    func rebuild(
        receiptOf id: UUID,
        by identity: OperatorIdentity,
        _ context: inout CommandContext
    ) throws -> Result<TransactionRecord, TillError> {
        guard var transaction = try context.ledger.transaction(id) else {
            return .failure(TillError(.notFound, "There is no transaction \(id.text)."))
        }
        guard transaction.state == .purchased || transaction.state == .restored else {
            return .failure(
                TillError(.failedPrecondition, "A \(transaction.state) transaction has no receipt: \(id.text).")
            )
        }
        try signAgain(&transaction, context)
        guard transaction.receipt != nil else {
            return .failure(TillError(.internal, "The transaction could not be signed: \(id.text)."))
        }
        try context.audit("RebuildReceipt", subject: id.text, detail: "", by: identity)
        try context.note(transaction.key, by: identity, "receipt signed again")
        try context.amend(transaction)
        return .success(transaction)
    }

    /// Signs a purchase that the provider has just charged. Nil when only the commit knows the receipt's facts, or when
    /// it cannot be signed.
    func signAhead(_ job: ChargeJob, _ outcome: DefiniteOutcome, at now: Date) -> SignedAhead? {
        guard let signer, outcome.error == nil, var transaction = job.transaction,
            let type = transaction.productType, type != .autoRenewableSubscription
        else {
            return nil
        }
        let charge = job.charge
        transaction.purchase(of: type, at: now)
        let name = QueueName(application: charge.request.application, account: charge.request.account)
        let queue = QueueRecord(key: charge.queue, name: name)
        guard let facts = try? facts(of: transaction, in: queue, at: now, nil) else {
            return nil
        }
        return (try? signer.sign(facts)).map { SignedAhead(facts: facts, receipt: $0) }
    }

    /// The signed renewal information for each of the facts; nil where nothing is signed, or signing fails.
    func signed(_ facts: [RenewalFacts]) -> [String?] {
        guard let signer, !facts.isEmpty else {
            return facts.map { _ in nil }
        }
        return facts.map { facts in
            do {
                return try signer.sign(facts).compact
            } catch {
                logger.error("Renewal information could not be signed", metadata: ["error": "\(error)"])
                return nil
            }
        }
    }

    private func keep(_ outcome: Result<SignedReceipt, any Error>, in transaction: inout TransactionRecord) {
        do {
            transaction.receipt = try outcome.get()
        } catch {
            // The receipt that it had may state something else than the row does now.
            transaction.receipt = nil
            logger.error("A transaction could not be signed", metadata: ["error": "\(error)"])
        }
    }
}

/// A receipt that was signed before the commit that stores it, so that no other command waits for the signature.
struct SignedAhead: Sendable {
    var facts: ReceiptFacts
    var receipt: SignedReceipt

    /// The receipt; nil if it states other facts than these.
    func receipt(stating facts: ReceiptFacts) -> SignedReceipt? {
        self.facts.hasSameContents(as: facts) ? receipt : nil
    }
}

extension ReceiptFacts {
    /// Whether receipts of both have the same contents, whenever they were signed.
    fileprivate func hasSameContents(as other: ReceiptFacts) -> Bool {
        var same = other
        same.date = date
        same.transaction.hasDownloads = transaction.hasDownloads
        return self == same
    }
}
