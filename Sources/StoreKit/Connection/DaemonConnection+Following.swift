import Foundation
import TillClient
import TillModel

/// The daemon's changes and their delivery to observers.
extension DaemonConnection {
    /// Follows the queue while there are observers; starts again whenever a first observer is added.
    func follow() async {
        var iterator = observations.makeAsyncIterator()
        var isOpen = await iterator.next() != nil
        while isOpen {
            let attachment = observedAttachment
            isOpen = await withTaskGroup(of: Void.self) { group in
                if let attachment {
                    group.addTask { await self.followChanges(for: attachment) }
                }
                var isOpen: Bool
                repeat {
                    isOpen = await iterator.next() != nil
                } while isOpen && observedAttachment == attachment
                group.cancelAll()
                return isOpen
            }
        }
    }

    /// Follows the queue until its observers are removed. Requesting the next change acknowledges the previous one; a
    /// change that no observer received is delivered again to the next observers.
    private func followChanges(for attachment: Int) async {
        let generation = observerList.generation
        var warned: String?
        var connections = 0
        while isFollowed(by: generation) {
            do throws(TillError) {
                var changes = client.changes.makeAsyncIterator()
                while isFollowed(by: generation), let news = try await changes.next(isolation: nil), !Task.isCancelled {
                    await handle(news, for: attachment)
                    connections += news == .connection(.connected) ? 1 : 0
                    if news == .initialDeliveryEnded, connections > 1 {
                        await removeMissingTransactions()
                    }
                }
            } catch {
                if warned != error.message, !Task.isCancelled {
                    warned = error.message
                    StandardError.write("The queue cannot be followed: \(error.message)")
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func isFollowed(by generation: Int?) -> Bool {
        generation != nil && generation == observerList.generation && !Task.isCancelled
    }

    private func handle(_ change: Change, for attachment: Int) async {
        switch change {
        case .updated(let transactions):
            if transactions.contains(where: { $0.state == .purchased }) {
                await updateReceipt()
            }
            await deliver { $0.updated(transactions) }
        case .removed(let transactions):
            await deliver { $0.removed(transactions) }
        case .revoked(let transactions):
            let ids = Self.productIDs(transactions)
            await updateReceipt()
            await deliver { connection in
                connection.observerList.notify {
                    $1.paymentQueue($0, didRevokeEntitlementsForProductIdentifiers: ids)
                }
            }
        case .downloadsUpdated(let downloads):
            await deliver { $0.updated(downloads) }
        case .storePaymentRequested(let payment):
            await offer(payment)
        case .storefrontChanged(let storefront):
            await self.change(to: storefront)
        case .restoreFinished(let id, _):
            // It may end before the initial delivery has.
            await updateReceipt()
            await deliver { $0.restoreEnded(id, nil) }
        case .restoreFailed(let id, let error):
            await deliver { $0.restoreEnded(id, error) }
        case .initialDeliveryEnded:
            await updateReceipt()
            await deliver { connection in
                connection.notifyRemoved(connection.withState { $0.registry.removeUnnotified(by: attachment) })
            }
            await finishMissedRestores()
            await askForPriceConsent()
        case .connection(.connected):
            withState { $0.blockingQueries.isAway = false }
        case .connection(.disconnected):
            withState { $0.blockingQueries.isAway = true }
        }
    }

    /// Updates transactions and notifies the observers. Transactions that this process finished in the meantime are
    /// ignored.
    func updated(_ transactions: [Transaction]) {
        var objects: [SKPaymentTransaction] = []
        var downloads: [Download] = []
        for transaction in transactions where !withState({ $0.registry.wasRemoved(transaction.id) }) {
            let object = withState { state in
                state.registry.update(transaction.failingForStorefront(if: state.refused))
            }
            if let object {
                if !objects.contains(where: { $0 === object }) {
                    objects.append(object)
                }
            } else {
                downloads += transaction.downloads
            }
        }
        notifyUpdated(objects)
        updated(downloads)
    }

    private func updated(_ downloads: [Download]) {
        let objects = withState { $0.registry.update(downloads) }
        if !objects.isEmpty {
            observerList.notify { $1.paymentQueue($0, updatedDownloads: objects) }
        }
    }

    /// The product identifiers in order, without duplicates.
    private static func productIDs(_ transactions: [Transaction]) -> [String] {
        var seen: Set<String> = []
        return transactions.map(\.payment.productID).filter { seen.insert($0).inserted }
    }

    /// The unfinished transactions of the daemon's queue; nil if the daemon cannot be asked.
    private func unfinished() async -> [Transaction]? {
        var transactions: [Transaction] = []
        do {
            for try await transaction in client.transactions {
                transactions.append(transaction)
            }
            return transactions
        } catch {
            return nil
        }
    }

    /// Removes transactions that the daemon no longer has. After a reconnection the daemon may use another ledger, so
    /// earlier transactions may be missing from it.
    private func removeMissingTransactions() async {
        let known = withState { $0.registry.stored }
        while !known.isEmpty, !Task.isCancelled {
            if let unfinished = await unfinished() {
                let gone = known.subtracting(unfinished.map(\.id))
                await deliver { connection in
                    connection.notifyRemoved(connection.withState { $0.registry.remove(gone) })
                }
                return
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Ends the restores whose ends may have been missed because they arrived while the queue was not followed.
    private func finishMissedRestores() async {
        for (id, pending) in withState({ $0.restores.open }) {
            do throws(TillError) {
                let restore = try await client.status(ofRestore: pending.run ?? id)
                if restore.state != .running {
                    await endMissed(restore)
                }
            } catch {
                // The daemon has a new ledger, so the end will never arrive.
                if error.code == .notFound, pending.isBegun {
                    let failure = SKError(PaymentError(.unknown, "The store no longer knows the restore."))
                    await deliver { $0.restoreFailed(id, failure) }
                }
            }
        }
    }

    private func endMissed(_ restore: RestoreProgress) async {
        guard let transactions = await unfinished() else {
            return
        }
        let error = restore.state == .failed ? restore.error ?? PaymentError(.unknown, "The restore failed.") : nil
        await deliver { connection in
            // The restored transactions may not have arrived yet; report them before the end.
            connection.updated(transactions)
            connection.restoreEnded(restore.id, error)
        }
    }
}

extension Transaction {
    /// The transaction, with StoreKit's error if the delegate stopped it after a storefront change.
    fileprivate func failingForStorefront(if refused: Set<UUID>) -> Transaction {
        guard state == .failed, refused.contains(id), error?.reason == .withdrawn else {
            return self
        }
        var transaction = self
        transaction.error = .otherStorefront
        return transaction
    }
}
