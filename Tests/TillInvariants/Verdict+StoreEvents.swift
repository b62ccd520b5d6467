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
}
