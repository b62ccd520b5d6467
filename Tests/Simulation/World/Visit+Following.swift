import FoundationEssentials
import TillClient
import TillInvariants
import TillModel

extension Visit {
    /// Follows the queue, and sometimes starts again from the beginning.
    func follow() async {
        var sequence = 0
        while !Task.isCancelled {
            sequence += 1
            note(.observing(sequence: sequence))
            pending.beginSequence()
            await follow(sequence)
        }
    }

    private func follow(_ sequence: Int) async {
        var changes = changes()
        var remaining = 3 + world.random.below(40)
        while remaining > 0 || world.isSettling {
            remaining -= 1
            let asked = world.stamp()
            do {
                guard let change = try await changes.next() else {
                    return
                }
                await handle(change, sequence, asked: asked)
            } catch {
                world.reportViolation("\(shopper.name): the sequence of changes ended: \(error)")
                return
            }
        }
        if let stream = changes.stream {
            stream.session.leave(stream)
        }
    }

    /// The changes from the beginning, with a random window and batch size.
    private func changes() -> ChangeFollower<BatchStream, SimulatedClock> {
        let window = world.random.number(in: 1...4)
        let batchSize = [1, 2, 64][world.random.below(3)]
        return ChangeFollower(
            connector: connector,
            reader: ChangeReader(cursor: nil, window: window),
            finished: finished
        ) { [shopper] link, reader in
            link.observe(
                shopper.queue,
                after: reader.cursor,
                resumesInitialDelivery: reader.resumesInitialDelivery,
                window: window,
                batchSize: batchSize
            )
        }
    }

    private func handle(_ change: Change, _ sequence: Int, asked: UInt64) async {
        change.transactions.forEach(world.examineDates)
        switch change {
        case .updated(let transactions):
            for transaction in transactions {
                note(.delivered(sequence: sequence, asked: asked, Sighting(transaction)))
                pending.deliver(transaction)
                if transaction.state == .failed, transaction.error?.moneyMoved == .no {
                    world.book.checkFailure(of: transaction.id)
                }
            }
            for transaction in transactions where transaction.state.isFinal {
                if shopper.isSettled || world.random.chance(300) {
                    await finish(transaction.id)
                }
            }
        case .removed(let transactions):
            for transaction in transactions {
                note(.removed(sequence: sequence, Sighting(transaction)))
                pending.remove(transaction.id)
            }
        case .revoked(let transactions):
            for id in transactions.map(\.id) {
                note(.revoked(sequence: sequence, id: id), of: .revocation(id))
            }
        case .storePaymentRequested(let payment):
            await consider(payment, sequence)
        case .storefrontChanged(let storefront):
            note(.storefrontChanged(sequence: sequence, country: storefront.countryCode))
        case .downloadsUpdated:
            // The store hosts no content.
            break
        case .restoreFinished(let id, let count):
            note(.restoreEnded(sequence: sequence, restore: id, count: count))
        case .restoreFailed(let id, _):
            note(.restoreEnded(sequence: sequence, restore: id, count: nil))
        case .initialDeliveryEnded:
            note(.initialDeliveryEnded(sequence: sequence))
            pending.completeInitialDelivery()
        case .connection(.connected):
            note(.connected(sequence: sequence))
        case .connection(.disconnected):
            note(.disconnected(sequence: sequence))
            pending.disconnect()
        }
    }
}
