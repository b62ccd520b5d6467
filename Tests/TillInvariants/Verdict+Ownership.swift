import TillEngine
import TillModel

extension Verdict {
    /// Checks that a product owned permanently is bought once, unless it was refunded.
    mutating func checkOwnership(_ queue: QueueEvidence) {
        // A charge that an operator found after it was given up cannot be prevented any more.
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
