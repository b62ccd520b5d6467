import Foundation
import TillModel

extension SKPaymentTransaction {
    convenience init(_ transaction: Transaction) {
        var values = TransactionValues()
        values.identity = transaction.id
        values.payment = SKPayment(transaction.payment)
        values.show(transaction)
        self.init(values: values)
    }

    /// Updates the object's values; the payment stays the same object.
    func show(_ transaction: Transaction) {
        change { $0.show(transaction) }
        _ = show(transaction.downloads)
    }

    /// Updates the transaction's downloads; each stays the same object.
    ///
    /// - Returns: The downloads in which an observer sees a difference.
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

    /// Releases the downloads when the transaction leaves the queue.
    func releaseDownloads() {
        change { $0.downloads = [] }
    }
}

extension TransactionValues {
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
    /// Creates a copy of a transaction's original purchase, which is not in any queue.
    fileprivate convenience init(original: OriginalTransaction, of payment: SKPayment) {
        var values = TransactionValues()
        values.identity = original.id
        values.state = .purchased
        values.payment = payment
        values.transactionDate = original.purchase.transactionDate
        values.transactionIdentifier = original.purchase.transactionIdentifier
        self.init(values: values)
    }
}
