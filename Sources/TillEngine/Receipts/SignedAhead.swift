import FoundationEssentials
import TillModel

/// A receipt that was signed before the commit that stores it, so that no other command waits for the signature.
struct SignedAhead: Sendable {
    var facts: ReceiptFacts
    var receipt: SignedReceipt
}

extension PaymentEngine {
    /// Signs a purchase that the provider has just taken the money for. Nil when only the commit knows what the receipt
    /// says, or when it cannot be signed.
    func signAhead(_ job: ChargeJob, _ outcome: DefiniteOutcome) -> SignedAhead? {
        guard let receipts, outcome.error == nil, var transaction = job.transaction,
            let type = transaction.productType, type != .autoRenewableSubscription
        else {
            return nil
        }
        let charge = job.charge
        let now = time.now().roundedToMilliseconds
        transaction.purchase(of: type, at: now)
        let name = QueueName(application: charge.request.application, account: charge.request.account)
        let queue = QueueRecord(key: charge.queue, name: name)
        guard let facts = try? receiptFacts(transaction, in: queue, at: now, nil) else {
            return nil
        }
        return (try? receipts.sign(facts)).map { SignedAhead(facts: facts, receipt: $0) }
    }
}

extension ReceiptFacts {
    /// Whether receipts of both say the same, whenever they were signed.
    func saysTheSame(as other: ReceiptFacts) -> Bool {
        var same = other
        same.date = date
        same.transaction.hasDownloads = transaction.hasDownloads
        return self == same
    }
}
