import TillModel

extension TransactionState {
    /// The name of StoreKit's case, which is that of ours.
    var name: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        }
    }
}
