import TillEngine
import TillModel

extension Verdict {
    /// What is owned for good is bought once, unless it was taken back.
    mutating func checkOwnership(_ queue: QueueEvidence) {
        // That a charge which had been given up was made after all, nobody can undo.
        let owned = queue.books.transactions.filter { row in
            row.state == .purchased && row.isEntitlement && row.term == nil && row.revocation == nil
                && row.productType != .nonRenewingSubscription && row.continues == nil
        }
        for (product, rows) in Dictionary(grouping: owned, by: \.payment.productID) {
            expect(
                .ownedProductsAreNotBoughtAgain,
                rows.count == 1,
                "\(product) is owned by each of \(rows.map(\.id.text).joined(separator: ", "))"
            )
        }
    }
}
