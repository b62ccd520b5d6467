package import FoundationEssentials
import NIOConcurrencyHelpers
package import TillModel

/// The state of a sequence of changes, without its connection: which change to deliver next, what to acknowledge, and
/// where to resume.
package struct ChangeReader {
    private var batches: BatchReader
    private var pending: ArraySlice<Change> = []
    private var unacknowledged = Unacknowledged()
    private let window: Int
    package private(set) var isConnected = true

    /// The batches that were delivered since the last acknowledgement.
    private struct Unacknowledged {
        var batchCount = 0
        var isDurable = false
        var revision: UInt64 = 0
    }

    /// - Parameters:
    ///   - cursor: Where to begin; nil for all unfinished transactions.
    ///   - window: The number of unacknowledged batches that the daemon may send.
    package init(cursor: UInt64?, window: Int) {
        batches = BatchReader(cursor: cursor)
        self.window = window
    }

    /// The revision to acknowledge before the next batch is read. It is due at once for events that are delivered until
    /// they are acknowledged, else after half a window, so that the other half can arrive in the meantime.
    package var acknowledgementDue: UInt64? {
        let isDue = unacknowledged.isDurable || unacknowledged.batchCount >= max(1, window / 2)
        return isDue ? unacknowledged.revision : nil
    }

    /// Where the next stream begins; nil for all unfinished transactions.
    package var cursor: UInt64? {
        batches.cursor
    }

    /// Whether the next stream begins within an initial delivery.
    package var resumesInitialDelivery: Bool {
        batches.isInitialDeliveryOpen
    }

    /// The next change of the batches that were read; nil when another batch has to be read.
    ///
    /// A finish can overtake updates of its transaction: they are dropped, even from a batch that was read before.
    package mutating func next(excluding finished: FinishedTransactions) -> Change? {
        while let change = pending.popFirst() {
            if let change = change.excluding({ finished.contains($0.id, after: $0.revision) }) {
                return change
            }
        }
        return nil
    }

    /// Begins a stream of this ledger.
    package mutating func attach(toLedger id: UUID) {
        batches.attach(toLedger: id)
        acknowledged()
        isConnected = true
        pending = [.connection(.connected)]
    }

    /// Records that all delivered batches were acknowledged, or can no longer be.
    package mutating func acknowledged() {
        unacknowledged = Unacknowledged()
    }

    package mutating func read(_ batch: EventBatch) {
        unacknowledged.batchCount += 1
        unacknowledged.isDurable = unacknowledged.isDurable || batch.events.contains(where: \.isDurable)
        unacknowledged.revision = batch.revision
        pending = batches.read(batch)[...]
    }

    /// Records for which reason the stream was lost or could not be opened.
    package mutating func lose(_ reason: String) {
        if isConnected {
            isConnected = false
            pending = [.connection(.disconnected(reason: reason))]
        }
    }
}

/// Turns batches into changes: joins neighbours, and drops events that this sequence has delivered before.
struct BatchReader {
    /// Where to resume after a reconnect; nil before the first delivery.
    private(set) var cursor: UInt64?
    /// Whether the end mark of the initial delivery is still to come.
    private(set) var isInitialDeliveryOpen: Bool
    private var ledgerID: UUID?

    /// - Parameter cursor: Where to begin; nil for all unfinished transactions.
    init(cursor: UInt64?) {
        self.cursor = cursor
        isInitialDeliveryOpen = cursor == nil
    }

    /// Begins a stream of this ledger. Revisions of another ledger are not valid in it.
    mutating func attach(toLedger id: UUID) {
        if let ledgerID, ledgerID != id {
            self = BatchReader(cursor: nil)
        }
        ledgerID = id
    }

    mutating func read(_ batch: EventBatch) -> [Change] {
        var changes: [Change] = []
        for event in batch.events {
            switch event {
            case .updated(let transaction):
                // A reset delivers transactions again.
                if transaction.revision > cursor ?? 0 {
                    changes.join(.updated([transaction]))
                }
            case .revoked(let transaction):
                if transaction.revision > cursor ?? 0 {
                    changes.joinRevoked(transaction)
                }
            case .removed(let transaction):
                changes.join(.removed([transaction]))
            case .storePaymentRequested(let payment):
                changes.append(.storePaymentRequested(payment))
            case .storefrontChanged(let storefront):
                changes.append(.storefrontChanged(storefront))
            case .downloadsUpdated(let downloads):
                changes.join(.downloadsUpdated(downloads))
            case .restoreFinished(let id, let count):
                changes.append(.restoreFinished(id: id, count: count))
            case .restoreFailed(let id, let error):
                changes.append(.restoreFailed(id: id, error: error))
            case .initialDeliveryStarted:
                isInitialDeliveryOpen = true
            case .initialDeliveryEnded:
                isInitialDeliveryOpen = false
                changes.append(.initialDeliveryEnded)
            }
        }
        cursor = max(cursor ?? 0, batch.revision)
        return changes
    }
}

extension [Change] {
    /// Joins a revocation after an update or a removal of its transaction, which the daemon may not send separately.
    fileprivate mutating func joinRevoked(_ transaction: Transaction) {
        let revoked: Change? = if case .revoked = last { popLast() } else { nil }
        join(transaction.isFinished ? .removed([transaction]) : .updated([transaction]))
        if let revoked {
            append(revoked)
        }
        join(.revoked([transaction]))
    }

    /// Appends a change of transactions or downloads: to the last change if that is of the same kind.
    fileprivate mutating func join(_ change: Change) {
        // The last change is removed first, so that appending to its array does not copy it.
        switch (popLast(), change) {
        case (.updated(var all), .updated(let more)):
            all += more
            append(.updated(all))
        case (.removed(var all), .removed(let more)):
            all += more
            append(.removed(all))
        case (.revoked(var all), .revoked(let more)):
            all += more
            append(.revoked(all))
        case (.downloadsUpdated(var all), .downloadsUpdated(let more)):
            all += more
            append(.downloadsUpdated(all))
        case (let last?, _):
            append(last)
            append(change)
        case (nil, _):
            append(change)
        }
    }
}

/// The transactions that this client has finished, so that a batch that was sent before does not deliver them again.
package final class FinishedTransactions: Sendable {
    /// Older entries are evicted; a batch travels for milliseconds.
    static let maximum = 4096

    private struct State {
        var revisions: [UUID: UInt64] = [:]
        var order: [UUID] = []
        var ledgerID: UUID?
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Forgets transactions that were finished in another ledger, or in this one before it was restored from a backup: they
    /// may be unfinished again.
    func attach(toLedger id: UUID) {
        state.withLockedValue { state in
            if state.ledgerID != id, state.ledgerID != nil {
                state = State()
            }
            state.ledgerID = id
        }
    }

    package func insert(_ id: UUID, removedAt revision: UInt64) {
        state.withLockedValue { state in
            guard state.revisions.updateValue(revision, forKey: id) == nil else {
                return
            }
            state.order.append(id)
            if state.order.count > Self.maximum {
                state.revisions[state.order.removeFirst()] = nil
            }
        }
    }

    /// Whether the transaction was finished by a change after `revision`.
    func contains(_ id: UUID, after revision: UInt64) -> Bool {
        state.withLockedValue { state in
            state.revisions[id].map { $0 > revision } ?? false
        }
    }
}
