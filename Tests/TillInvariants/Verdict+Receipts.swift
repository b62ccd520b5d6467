import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that every purchased or restored transaction has a receipt, unless that was removed, and that it agrees with the
    /// ledger.
    mutating func checkReceipts(_ queue: QueueEvidence, _ books: Books) {
        guard !books.receipts.isEmpty else {
            return
        }
        let charges = Dictionary(
            books.charges.compactMap { charge in charge.transactionKey.map { ($0, charge) } },
            uniquingKeysWith: { first, _ in first }
        )
        for row in queue.books.transactions where row.state == .purchased || row.state == .restored {
            if books.mayBePruned, row.receipt == nil, row.isPrunable(before: .distantFuture) {
                continue
            }
            let facts = row.receipt.flatMap { books.receipts[$0] }
            expect(
                .receiptsAreTrue,
                facts?.transaction.asSigned == row.asSigned,
                "\(row.id.text) is \(row.asSigned), but its receipt says \(facts.map { "\($0.transaction.asSigned)" } ?? "nothing")"
            )
            expect(
                .receiptsAreTrue,
                row.productType != .autoRenewableSubscription || facts?.period != nil,
                "the receipt of the subscription \(row.id.text) names no period"
            )
            expect(
                .receiptsAreTrue,
                facts?.paid != nil && facts?.storefront == row.sale?.storefront,
                "the receipt of \(row.id.text) does not have its price and storefront"
            )
            if row.state == .purchased {
                let paid = charges[row.key].flatMap { $0.state == .succeeded ? $0.request.amount : nil }
                expect(
                    .receiptsAreTrue,
                    facts?.paid?.amount ?? 0 == paid ?? 0,
                    "\(paid ?? 0) was paid for \(row.id.text), but its receipt says \(facts?.paid?.amount ?? 0)"
                )
            }
        }
    }
}

extension TransactionRecord {
    /// The part of the row that receipts contain.
    fileprivate var asSigned: TransactionRecord {
        var record = self
        record.revision = 0
        record.finishedAt = nil
        record.isEntitlement = false
        record.isRevocationPending = false
        record.receipt = nil
        record.hasDownloads = false
        record.downloads = []
        return record
    }
}
