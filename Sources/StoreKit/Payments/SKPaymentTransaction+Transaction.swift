import Foundation
import TillModel

extension SKPaymentTransaction {
    convenience init(_ transaction: Transaction) {
        var fields = TransactionFields()
        fields.identity = transaction.id
        fields.payment = SKPayment(transaction.payment)
        fields.show(transaction)
        self.init(fields: fields)
    }

    /// Looks like that from now on; the payment stays the same object.
    func show(_ transaction: Transaction) {
        change { $0.show(transaction) }
        _ = show(transaction.downloads)
    }

    /// Its downloads look like that from now on; each stays the same object.
    ///
    /// - Returns: Those of which an observer sees a difference.
    func show(_ downloads: [Download]) -> [SKDownload] {
        var changed: [SKDownload] = []
        for download in downloads {
            if let object = self.downloads.first(where: { $0.identity == download.id }) {
                if object.show(download) {
                    changed.append(object)
                }
            } else {
                let object = SKDownload(download, of: self)
                change { $0.downloads.append(object) }
                changed.append(object)
            }
        }
        return changed
    }

    /// It is out of the queue: its downloads are of no use any more.
    func releaseDownloads() {
        change { $0.downloads = [] }
    }
}

extension TransactionFields {
    fileprivate mutating func show(_ transaction: Transaction) {
        state = SKPaymentTransactionState(rawValue: transaction.state.rawValue) ?? .purchasing
        error = transaction.error.map { SKError($0) }
        transactionDate = transaction.purchase?.transactionDate
        transactionIdentifier = transaction.purchase?.transactionIdentifier
        receipt = transaction.receipt
        if original?.identity != transaction.original?.id {
            original = transaction.original.map { SKPaymentTransaction(original: $0, of: payment) }
        }
    }
}

extension SKPaymentTransaction {
    /// A copy of the purchase that a transaction goes back to, which is in no queue.
    fileprivate convenience init(original: OriginalTransaction, of payment: SKPayment) {
        var fields = TransactionFields()
        fields.identity = original.id
        fields.state = .purchased
        fields.payment = payment
        fields.transactionDate = original.purchase.transactionDate
        fields.transactionIdentifier = original.purchase.transactionIdentifier
        self.init(fields: fields)
    }
}
