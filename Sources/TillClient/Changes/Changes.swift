public import FoundationEssentials
public import TillModel
import TillWire

/// A change of a queue. Changes arrive in order.
///
/// Delivery is at least once until a transaction is finished: grant what was bought by the transaction's `id`.
public enum Change: Hashable, Sendable {
    /// Added to the queue or changed: `paymentQueue(_:updatedTransactions:)`. Never empty.
    case updated([Transaction])
    /// Finished, and out of the queue: `paymentQueue(_:removedTransactions:)`. A transaction that is revoked later
    /// arrives here again. Never empty.
    case removed([Transaction])
    /// Refunded or revoked, completely or in part: `paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)`. The
    /// same transactions arrive before in ``updated(_:)`` if they are unfinished, or in ``removed(_:)`` if they are
    /// finished. Never empty.
    case revoked([Transaction])
    /// The store asks for a payment, a promoted purchase: `paymentQueue(_:shouldAddStorePayment:)`. Add this
    /// payment to accept.
    case storePaymentRequested(Payment)
    /// `paymentQueueDidChangeStorefront(_:)`.
    case storefrontChanged(Storefront)
    /// Downloads changed their state or made progress: `paymentQueue(_:updatedDownloads:)`. Never empty.
    case downloadsUpdated([Download])
    /// The restore was delivered completely: `paymentQueueRestoreCompletedTransactionsFinished(_:)`.
    case restoreFinished(id: UUID, count: Int)
    /// `paymentQueue(_:restoreCompletedTransactionsFailedWithError:)`. Some of it may have been delivered.
    case restoreFailed(id: UUID, error: PaymentError)
    /// All transactions that were unfinished when the sequence began have been delivered.
    case initialDeliveryEnded
    /// The daemon was reached or lost. The client reconnects to a lost daemon and misses nothing.
    case connection(ConnectionState)
}

extension Change {
    /// The change without updates of transactions that this client has finished; nil when nothing is left.
    func excluding(_ wasFinished: (Transaction) -> Bool) -> Change? {
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
    /// The reason is a sentence for people.
    case disconnected(reason: String)
}

extension PaymentQueue {
    /// All unfinished transactions of the queue, and then its changes.
    ///
    /// Each iteration is a separate observer with its own pace: the daemon sends a few batches ahead of it. An
    /// iteration acknowledges changes when it asks for more. Revocations and purchases that the store requests are
    /// acknowledged at once, because they are delivered at every attach until then; other changes, a few batches at a
    /// time.
    public var changes: Changes {
        Changes(queue: self, cursor: nil, collapsesRenewals: configuration.collapsesRenewals, isPassive: false)
    }

    /// The same for a passive observer: revocations and purchases that the store requests are still delivered to the
    /// observers that act on them.
    package var watchedChanges: Changes {
        watchedChanges(after: nil, collapsesRenewals: configuration.collapsesRenewals)
    }

    /// The same after a revision, for a call that waits for its outcome.
    func watchedChanges(after cursor: UInt64?, collapsesRenewals: Bool = false) -> Changes {
        Changes(queue: self, cursor: cursor, collapsesRenewals: collapsesRenewals, isPassive: true)
    }
}

/// The changes of a queue, in order.
///
/// A lost connection does not end the sequence: it reports the loss, reconnects, and continues without loss or
/// repetition. It ends when its task is cancelled or the queue is closed. It throws only errors that a retry cannot
/// solve, such as `permissionDenied`.
public struct Changes: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = TillError

    let queue: PaymentQueue
    /// Where to begin; nil for all unfinished transactions.
    let cursor: UInt64?
    let collapsesRenewals: Bool
    /// Whether acknowledged events are still delivered to other observers.
    let isPassive: Bool

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(changes: self)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private var follower: ChangeFollower<ObservedStream, ContinuousClock>

        init(changes: Changes) {
            follower = ChangeFollower(
                connector: changes.queue.connector.connection,
                reader: ChangeReader(cursor: changes.cursor, window: ObservedStream.window),
                finished: changes.queue.finished
            ) { session, reader in
                session.observe(
                    after: reader.cursor,
                    resumesInitialDelivery: reader.resumesInitialDelivery,
                    collapsesRenewals: changes.collapsesRenewals,
                    isPassive: changes.isPassive
                )
            }
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(TillError) -> Change? {
            try await follower.next(isolation: actor)
        }

        public mutating func next() async throws(TillError) -> Change? {
            try await next(isolation: #isolation)
        }
    }
}
