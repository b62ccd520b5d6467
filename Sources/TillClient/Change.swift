public import FoundationEssentials
public import TillModel

/// What happens to a queue, in order.
///
/// Delivery is at least once until a transaction is finished: grant what was bought by the transaction's `id`.
public enum Change: Hashable, Sendable {
    /// Added to the queue or changed: `paymentQueue(_:updatedTransactions:)`. Never empty.
    case updated([Transaction])
    /// Finished, and out of the queue: `paymentQueue(_:removedTransactions:)`. What is taken back later comes once more.
    /// Never empty.
    case removed([Transaction])
    /// Refunded or revoked, all or a part: `paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)`. The
    /// transactions are as they are now: those that are not finished come as ``updated(_:)`` before, and those that are as
    /// ``removed(_:)``. Never empty.
    case revoked([Transaction])
    /// The store asks for a payment, a promoted purchase: `paymentQueue(_:shouldAddStorePayment:)`. Accepting is to
    /// add this payment.
    case storePaymentRequested(Payment)
    /// `paymentQueueDidChangeStorefront(_:)`.
    case storefrontChanged(Storefront)
    /// Downloads changed their state or made progress: `paymentQueue(_:updatedDownloads:)`. Never empty.
    case downloadsUpdated([Download])
    /// All of the restore was delivered: `paymentQueueRestoreCompletedTransactionsFinished(_:)`.
    case restoreFinished(id: UUID, count: Int)
    /// `paymentQueue(_:restoreCompletedTransactionsFailedWithError:)`. Some of it may have been delivered.
    case restoreFailed(id: UUID, error: PaymentError)
    /// Everything that was unfinished when the sequence began has been delivered.
    case initialDeliveryEnded
    /// The daemon is reached, or lost. A lost one is looked for until it is back; nothing is missed.
    case connection(ConnectionState)
}

extension Change {
    /// The change without updates of transactions that this client was told are finished; nil when nothing is left.
    func leavingOut(_ wasFinished: (Transaction) -> Bool) -> Change? {
        guard case .updated(let transactions) = self else {
            return self
        }
        let left = transactions.filter { !wasFinished($0) }
        return left.isEmpty ? nil : .updated(left)
    }
}

/// Whether the daemon can be reached.
public enum ConnectionState: Hashable, Sendable {
    case connected
    /// For the reason given, a sentence for people.
    case disconnected(reason: String)
}
