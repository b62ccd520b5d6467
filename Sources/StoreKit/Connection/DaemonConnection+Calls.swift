import Foundation
import TillClient
import TillModel

/// The application's calls; all of them return immediately.
extension DaemonConnection {
    var transactions: [SKPaymentTransaction] {
        withState { $0.registry.transactions }
    }

    func add(_ values: PaymentValues) {
        add(Payment(values))
    }

    /// Adds a payment that already has an id.
    func add(_ payment: Payment) {
        let transaction = Transaction(id: payment.id, revision: 0, state: .purchasing, payment: payment)
        guard withState({ $0.registry.add(transaction) }) else {
            return
        }
        // Scheduled before the daemon receives the payment, so that this is the first notification about it.
        enqueue { connection in
            if !connection.observerList.observers.isEmpty,
                let added = connection.withState({ $0.registry.notifyAdded(payment.id) })
            {
                connection.notifyUpdated([added])
            }
        }
        if !payments.append(payment) {
            let error = PaymentError(.unknown, "Too many payments are waiting for the daemon.", reason: .unreachable)
            enqueue { $0.reject(payment.id, error) }
        }
    }

    /// Fails a payment that the daemon has not accepted.
    func reject(_ id: UUID, _ error: PaymentError) {
        notifyUpdated(withState { $0.registry.reject(id, error).map { [$0] } ?? [] })
    }

    func finish(_ transaction: SKPaymentTransaction) {
        // Marked and queued atomically, so that a restore does not overtake the finish.
        let (finish, hasRoom) = withState { state in
            let finish = state.registry.finish(transaction)
            guard case .atDaemon(let id) = finish, !commands.append(.finish(id)) else {
                return (finish, true)
            }
            state.registry.finishingFailed(id)
            return (finish, false)
        }
        if case .here(let id) = finish {
            enqueue { $0.remove(id) }
        }
        if !hasRoom {
            StandardError.write("Too many finished transactions are waiting for the daemon; finish them again later.")
        }
    }

    /// Removes a transaction that has left the queue and notifies the observers.
    func remove(_ id: UUID) {
        let transaction = withState { state in
            state.refused.remove(id)
            return state.registry.transaction(id)
        }
        removed(transaction.map { [$0] } ?? [])
    }

    /// Removes transactions that have left the queue. A restore in progress first reports those that it still owes.
    func removed(_ transactions: [Transaction]) {
        let owed = withState { state in
            transactions.compactMap { transaction in
                state.restores.open.values.contains { state.registry.mustReport(transaction, for: $0) }
                    ? state.registry.reportBeforeRemoval(transaction) : nil
            }
        }
        notifyUpdated(owed)
        notifyRemoved(transactions.compactMap { transaction in withState { $0.registry.remove(transaction.id) } })
    }

    func restore(applicationUsername: String?) {
        let id = UUID.version7()
        let hasRoom = withState { state in
            let pending = PendingRestore(
                id: id,
                applicationUsername: applicationUsername,
                deadline: .now + client.configuration.restoreTimeout,
                notificationCount: state.registry.notificationCount
            )
            state.restores.begin(pending)
            return deadlines.append(pending) && commands.append(.restore(id))
        }
        if !hasRoom {
            let error = PaymentError(.unknown, "Too many restores are waiting for the daemon.", reason: .unreachable)
            enqueue { $0.restoreFailed(id, SKError(error)) }
        }
    }

    func control(_ kind: DownloadAction.Kind, _ objects: [SKDownload]) {
        for id in objects.compactMap(\.identity) where !downloads.append(DownloadAction(kind: kind, id: id)) {
            StandardError.write("Too many download commands are waiting for the daemon; try again later.")
        }
    }

    /// Reports the end of a restore if this process began it. Without observers the restore stays open; its end is
    /// requested from the daemon once an observer is added.
    func restoreEnded(_ id: UUID, _ error: PaymentError?) {
        let hasObservers = !observerList.isEmpty
        if let pending = withState({ $0.restores.end(id, error, hasObservers: hasObservers) }) {
            notifyEnd(of: pending, error)
        }
    }

    /// Reports the end of a restore. Unfinished transactions of an earlier restore are reported again first, because
    /// they belong to this one too.
    func notifyEnd(of pending: PendingRestore, _ error: PaymentError?) {
        if error == nil {
            notifyUpdated(withState { $0.registry.restored(for: pending) })
        }
        notifyRestoreEnded(error.map { SKError($0) })
    }

    /// Reports a restore that failed in this process; without observers the failure is kept for later observers.
    func restoreFailed(_ id: UUID, _ error: any Error) {
        let hasObservers = !observerList.isEmpty
        if withState({ $0.restores.fail(id, error, hasObservers: hasObservers) }) {
            notifyRestoreEnded(error)
        }
    }
}

/// A download command from the application.
struct DownloadAction: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case start
        case pause
        case resume
        case cancel
    }

    var kind: Kind
    var id: UUID
}
