import FoundationEssentials
package import TillModel

extension PaymentEngine {
    /// A page of what the ledger and the provider do not agree about, while both go on.
    ///
    /// First come the ledger's charges, by age, each held against the provider's record, and then the charges that only
    /// the provider has. A page holds ``LedgerComparison/chunk`` charges in memory, and goes through all of the other
    /// book once.
    ///
    /// - Parameter token: What the page before returned; 0 for the first page.
    /// - Throws: `unavailable` when the provider cannot be asked.
    package func reconcile(token: UInt64) async throws(TillError) -> ReconciliationPage {
        let comparison = LedgerComparison(access: access, provider: provider)
        return switch ReconciliationToken(token) {
        case .ledger(let key): try await comparison.ledgerPage(afterKey: key)
        case .provider(let offset): try await comparison.providerPage(from: offset)
        }
    }
}

/// Where a page of a reconciliation begins.
enum ReconciliationToken: Equatable {
    /// Among the ledger's charges, after this key.
    case ledger(Int64)
    /// Among the provider's charges, after so many.
    case provider(Int)

    private static let providerBit: UInt64 = 1 << 63

    init(_ token: UInt64) {
        let number = Int64(truncatingIfNeeded: token & ~Self.providerBit)
        self = token & Self.providerBit == 0 ? .ledger(number) : .provider(Int(clamping: number))
    }

    var number: UInt64 {
        switch self {
        case .ledger(let key): UInt64(clamping: key)
        case .provider(let offset): UInt64(clamping: offset) | Self.providerBit
        }
    }
}
