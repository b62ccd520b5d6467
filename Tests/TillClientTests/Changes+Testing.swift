import FoundationEssentials
import TillClient
import TillModel

extension Change {
    /// A summary of the change, such as `updated coins purchased`.
    var summary: String {
        switch self {
        case .updated(let transactions):
            "updated " + transactions.map { "\($0.payment.productID) \($0.state)" }.joined(separator: ", ")
        case .removed(let transactions):
            "removed " + transactions.map(\.payment.productID).joined(separator: ", ")
        case .revoked(let transactions): "revoked " + transactions.map(\.payment.productID).joined(separator: ", ")
        case .storePaymentRequested(let payment): "store payment \(payment.productID)"
        case .downloadsUpdated(let downloads):
            "downloads " + downloads.map { "\($0.content.identifier) \($0.state)" }.joined(separator: ", ")
        case .storefrontChanged(let storefront): "storefront \(storefront.countryCode)"
        case .restoreFinished(_, let count): "restore finished \(count)"
        case .restoreFailed(_, let error): "restore failed \(error.code)"
        case .initialDeliveryEnded: "initial delivery ended"
        case .connection(.connected): "connected"
        case .connection(.disconnected): "disconnected"
        }
    }

    var transactions: [Transaction] {
        switch self {
        case .updated(let transactions), .removed(let transactions), .revoked(let transactions): transactions
        default: []
        }
    }
}

extension Changes.AsyncIterator {
    /// The changes up to the first one that suffices, or to the end.
    mutating func changes(through isEnough: (Change) -> Bool) async throws(TillError) -> [Change] {
        var changes: [Change] = []
        while let change = try await next() {
            changes.append(change)
            if isEnough(change) {
                break
            }
        }
        return changes
    }

    /// The changes until the transaction is purchased, failed, restored or removed.
    mutating func changes(throughEndOf id: UUID) async throws(TillError) -> [Change] {
        try await changes { $0.transactions.contains { $0.id == id && $0.state.isFinal } }
    }

    mutating func initialDelivery() async throws(TillError) -> [Change] {
        try await changes { $0 == .initialDeliveryEnded }
    }
}
