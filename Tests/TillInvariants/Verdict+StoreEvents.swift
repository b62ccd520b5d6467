import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// What operators did to a queue reached its applications: what was promoted was asked for, and what was taken back
    /// was told as that.
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
                "\(payment.id.text) was promoted, and nobody in the queue of \(application) was asked"
            )
        }
        let refunded = queue.books.transactions.filter { row in
            books.refunds[row.key, default: []].contains { $0.state == .succeeded && $0.quantity > 0 }
        }
        for row in refunded {
            expect(
                .revocationsAreTold,
                revoked.contains(row.id),
                "\(row.id.text) was taken back, and nobody in the queue of \(application) was told"
            )
        }
    }

    /// Who followed the queue when the store moved to another country, and did so to the end without a break, was told.
    mutating func checkStorefronts(_ queue: QueueEvidence) {
        let moves = queue.histories.flatMap(\.entries).compactMap(\.fact.move)
        for history in queue.histories {
            let last = history.entries.lastIndex { $0.fact.beginsSequence } ?? 0
            let told = history.entries[last...]
            guard let followedSince = told.first(where: \.fact.endsInitialDelivery)?.at else {
                continue
            }
            let brokenAt = told.last(where: \.fact.isDisconnection)?.at ?? 0
            for (country, asked) in moves where asked > max(followedSince, brokenAt) {
                let isTold = told.contains { entry in
                    if case .storefrontChanged(_, country) = entry.fact { entry.at > asked } else { false }
                }
                expect(.storefrontsAreTold, isTold, "\(history.name) was not told that the store moved to \(country)")
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
