import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that operators' acts on a queue reached its applications: promoted payments were offered, and refunds
    /// were delivered as revocations.
    mutating func checkStoreEvents(_ queue: QueueEvidence, _ books: Books) {
        let application = queue.books.name.application
        let facts = queue.histories.flatMap { $0.entries.map(\.fact) }
        var offered: Set<PaymentNote> = []
        var revoked: Set<UUID> = []
        for fact in facts {
            switch fact {
            case .offered(_, let payment): offered.insert(payment)
            case .revoked(_, let id): revoked.insert(id)
            default: break
            }
        }
        for case .promoted(let payment) in facts {
            expect(
                .promotionsAreOffered,
                offered.contains(payment),
                "\(payment.id.text) was promoted, but not offered in the queue of \(application)"
            )
        }
        let refunded = queue.books.transactions.filter { row in
            books.refunds[row.key, default: []].contains { $0.state == .succeeded && $0.quantity > 0 }
        }
        for row in refunded {
            expect(
                .revocationsAreDelivered,
                revoked.contains(row.id),
                "\(row.id.text) was refunded, but no process in the queue of \(application) was notified"
            )
        }
    }

    /// Checks that each process that followed the queue without a break was notified of the store's move to another
    /// country.
    mutating func checkStorefronts(_ queue: QueueEvidence) {
        let moves = queue.histories.flatMap(\.entries).compactMap(\.fact.move)
        for history in queue.histories {
            let last = history.entries.lastIndex { $0.fact.beginsSequence } ?? 0
            let notified = history.entries[last...]
            guard let followedSince = notified.first(where: \.fact.endsInitialDelivery)?.at else {
                continue
            }
            let brokenAt = notified.last(where: \.fact.isDisconnection)?.at ?? 0
            for (country, asked) in moves where asked > max(followedSince, brokenAt) {
                let isNotified = notified.contains { entry in
                    if case .storefrontChanged(_, country) = entry.fact { entry.at > asked } else { false }
                }
                expect(
                    .storefrontMovesAreDelivered,
                    isNotified,
                    "\(history.name) was not notified that the store moved to \(country)"
                )
            }
        }
    }
}

extension Fact {
    fileprivate var move: (country: String, asked: UInt64)? {
        if case .storefrontMoved(let country, let asked) = self { (country, asked) } else { nil }
    }

    fileprivate var beginsSequence: Bool {
        if case .observing = self { true } else { false }
    }

    fileprivate var isDisconnection: Bool {
        if case .disconnected = self { true } else { false }
    }

    fileprivate var endsInitialDelivery: Bool {
        if case .initialDeliveryEnded = self { true } else { false }
    }
}
