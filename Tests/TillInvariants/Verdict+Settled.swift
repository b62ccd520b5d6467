import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that after a quiet time every payment has an answer, and every transaction is final and finished.
    mutating func checkSettled(_ queue: QueueEvidence) {
        for id in queue.intents.keys where queue.refused[id] == nil {
            expect(.everythingEnds, queue.rows[id] != nil, "\(id.text) was added repeatedly, but is not in the ledger")
        }
        for row in queue.books.transactions {
            expect(.everythingEnds, row.state.isFinal, "\(row.id.text) is still \(row.state)")
            expect(.everythingEnds, row.finishedAt != nil, "\(row.id.text) is still in the queue")
        }
        for subscription in queue.books.subscriptions {
            let words = "the subscription of \(subscription.original.id.text) is still \(subscription.state)"
            expect(.everythingEnds, subscription.hasEnded, words)
        }
        for history in queue.histories {
            let isSettled = history.entries.contains { $0.fact == .settled }
            expect(.everythingEnds, isSettled, "\(history.name) did not settle")
        }
    }

    mutating func checkSettled(_ books: Books) {
        for charge in books.charges {
            let id = charge.request.paymentID.text
            expect(.everythingEnds, charge.state.isSettled, "the charge of \(id) is still \(charge.state)")
            if !books.mayNeedReview {
                expect(.everythingEnds, charge.state != .needsReview, "the charge of \(id) was given up")
            }
        }
        for refund in books.refunds.values.joined() {
            let id = refund.id.text
            expect(.everythingEnds, refund.state != .open, "the refund \(id) has no end")
            if !books.mayNeedReview {
                expect(.everythingEnds, refund.state != .needsReview, "the refund \(id) was given up")
            }
        }
        for restore in books.runningRestores {
            expect(.everythingEnds, false, "the restore \(restore.id.text) has no end")
        }
    }
}
