import Foundation
import TillClient
import TillModel

/// What the application asks for; all of it returns at once.
extension StoreLink {
    var transactions: [SKPaymentTransaction] {
        withState { $0.registry.transactions }
    }

    func add(_ fields: PaymentFields) {
        add(Payment(fields))
    }

    /// Adds a payment that has an identity.
    func add(_ payment: Payment) {
        let transaction = Transaction(id: payment.id, revision: 0, state: .purchasing, payment: payment)
        guard withState({ $0.registry.add(transaction) }) else {
            return
        }
        // Before the daemon has it, so that nothing of it can be told before.
        enqueue { link in
            if !link.audience.observers.isEmpty, let added = link.withState({ $0.registry.tellAdded(payment.id) }) {
                link.tellUpdated([added])
            }
        }
        if !payments.put(payment) {
            let error = PaymentError(.unknown, "Too many payments wait for the daemon.", reason: .unreachable)
            enqueue { $0.reject(payment.id, error) }
        }
    }

    /// The payment fails without having been at the daemon.
    func reject(_ id: UUID, _ error: PaymentError) {
        tellUpdated(withState { $0.registry.reject(id, error).map { [$0] } ?? [] })
    }

    func finish(_ transaction: SKPaymentTransaction) {
        // In one with its place in the lane, so that a restore does not overtake it.
        let (finish, hasRoom) = withState { state in
            let finish = state.registry.finish(transaction)
            guard case .atDaemon(let id) = finish, !orders.put(.finish(id)) else {
                return (finish, true)
            }
            state.registry.keep(id)
            return (finish, false)
        }
        if case .here(let id) = finish {
            enqueue { $0.remove(id) }
        }
        if !hasRoom {
            StandardError.write("Too many finished transactions wait for the daemon; finish them again later.")
        }
    }

    /// The transaction is out of the queue.
    func remove(_ id: UUID) {
        let transaction = withState { state in
            state.refused.remove(id)
            return state.registry.transaction(id)
        }
        removed(transaction.map { [$0] } ?? [])
    }

    /// Transactions are out of the queue. A restore that is under way brings them before, unless it has.
    func removed(_ transactions: [Transaction]) {
        let owed = withState { state in
            transactions.compactMap { transaction in
                state.restores.open.values.contains { state.registry.isOwed(transaction, to: $0) }
                    ? state.registry.tellLeaving(transaction) : nil
            }
        }
        tellUpdated(owed)
        tellRemoved(transactions.compactMap { transaction in withState { $0.registry.remove(transaction.id) } })
    }

    func restore(applicationUsername: String?) {
        let id = UUID.version7()
        let hasRoom = withState { state in
            let order = RestoreOrder(
                id: id,
                applicationUsername: applicationUsername,
                deadline: .now + client.configuration.restoreTimeout,
                tellings: state.registry.tellings
            )
            state.restores.begin(order)
            return deadlines.put(order) && orders.put(.restore(id))
        }
        if !hasRoom {
            let error = PaymentError(.unknown, "Too many restores wait for the daemon.", reason: .unreachable)
            enqueue { $0.restoreFailed(id, SKError(error)) }
        }
    }

    func control(_ command: DownloadOrder.Command, _ objects: [SKDownload]) {
        for id in objects.compactMap(\.identity) where !downloads.put(DownloadOrder(command: command, id: id)) {
            StandardError.write("Too many downloads wait for the daemon; try again later.")
        }
    }

    /// A restore has ended; tells so if this process began it. While nobody is there it stays open, and the daemon is asked
    /// for its end once somebody is.
    func restoreEnded(_ id: UUID, _ error: PaymentError?) {
        let isHeard = !audience.isEmpty
        if let order = withState({ $0.restores.end(id, error, isHeard: isHeard) }) {
            tellEnd(of: order, error)
        }
    }

    /// What an earlier restore brought, and nobody has finished, stands for this one too.
    func tellEnd(of order: RestoreOrder, _ error: PaymentError?) {
        if error == nil {
            tellUpdated(withState { $0.registry.restored(for: order) })
        }
        tellRestoreEnded(error.map { SKError($0) })
    }

    /// A restore failed by what only this process knows; who comes later is told too.
    func restoreFailed(_ id: UUID, _ error: any Error) {
        let isHeard = !audience.isEmpty
        if withState({ $0.restores.fail(id, error, isHeard: isHeard) }) {
            tellRestoreEnded(error)
        }
    }
}
