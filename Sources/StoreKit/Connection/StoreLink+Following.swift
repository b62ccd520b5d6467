import Foundation
import TillClient
import TillModel

/// What comes from the daemon.
extension StoreLink {
    /// Follows the queue anew whenever a first observer comes, until the last has gone.
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

    /// Ends once its observers have gone. To ask for more is to acknowledge what was given: what was told to nobody comes
    /// again to those who come next.
    private func followChanges(for attachment: Int) async {
        let gathering = audience.gathering
        var warned: String?
        var connections = 0
        while isFollowed(by: gathering) {
            do throws(TillError) {
                var changes = client.changes.makeAsyncIterator()
                while isFollowed(by: gathering), let news = try await changes.next(isolation: nil), !Task.isCancelled {
                    await handle(news, for: attachment)
                    connections += news == .connection(.connected) ? 1 : 0
                    if news == .initialDeliveryEnded, connections > 1 {
                        await retireWhatIsGone()
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

    private func isFollowed(by gathering: Int?) -> Bool {
        gathering != nil && gathering == audience.gathering && !Task.isCancelled
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
            await deliver { link in
                link.audience.tell {
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
            await deliver { $0.restoreEnded(id, nil) }
        case .restoreFailed(let id, let error):
            await deliver { $0.restoreEnded(id, error) }
        case .initialDeliveryEnded:
            await updateReceipt()
            await deliver { link in
                link.tellRemoved(link.withState { $0.registry.retireUntold(by: attachment) })
            }
            await endMissedRestores()
            await askForPriceConsent()
        case .connection(.connected):
            withState { $0.inquiries.isAway = false }
        case .connection(.disconnected):
            withState { $0.inquiries.isAway = true }
        }
    }

    /// What was finished here while this was on its way is not told again.
    func updated(_ transactions: [Transaction]) {
        var objects: [SKPaymentTransaction] = []
        var downloads: [Download] = []
        for transaction in transactions where !withState({ $0.registry.isFormer(transaction.id) }) {
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
        tellUpdated(objects)
        updated(downloads)
    }

    private func updated(_ downloads: [Download]) {
        let objects = withState { $0.registry.update(downloads) }
        if !objects.isEmpty {
            audience.tell { $1.paymentQueue($0, updatedDownloads: objects) }
        }
    }

    /// Each once, in order.
    private static func productIDs(_ transactions: [Transaction]) -> [String] {
        var seen: Set<String> = []
        return transactions.map(\.payment.productID).filter { seen.insert($0).inserted }
    }

    /// What is in the queue at the daemon; nil if it does not say.
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

    /// All that is unfinished was delivered anew, perhaps from another ledger: what was told before may not be in it.
    private func retireWhatIsGone() async {
        let known = withState { $0.registry.stored }
        while !known.isEmpty, !Task.isCancelled {
            if let unfinished = await unfinished() {
                let gone = known.subtracting(unfinished.map(\.id))
                await deliver { link in
                    link.tellRemoved(link.withState { $0.registry.retire(gone) })
                }
                return
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Restores whose ends may not be among the changes, for they came while nobody followed them.
    private func endMissedRestores() async {
        for (id, order) in withState({ $0.restores.open }) {
            do throws(TillError) {
                let restore = try await client.status(ofRestore: order.run ?? id)
                if restore.state != .running {
                    await endMissed(restore)
                }
            } catch {
                // In a new ledger, to which its end will not come.
                if error.code == .notFound, order.isBegun {
                    let failure = SKError(PaymentError(.unknown, "The store does not know the restore any more."))
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
        await deliver { link in
            // What it brought may still be on its way, and comes before its end.
            link.updated(transactions)
            link.restoreEnded(restore.id, error)
        }
    }
}

extension Transaction {
    /// The transaction, with StoreKit's error where the delegate stopped it because of another storefront.
    fileprivate func failingForStorefront(if refused: Set<UUID>) -> Transaction {
        guard state == .failed, refused.contains(id), error?.reason == .withdrawn else {
            return self
        }
        var transaction = self
        transaction.error = .otherStorefront
        return transaction
    }
}
