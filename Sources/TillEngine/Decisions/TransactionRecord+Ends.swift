import FoundationEssentials
import TillModel

extension TransactionRecord {
    /// Ends it without a purchase.
    mutating func fail(_ error: PaymentError, isInterrupted: Bool = false) {
        state = .failed
        self.error = error
        self.isInterrupted = isInterrupted
        blocker = nil
        deadline = nil
    }

    /// Ends it with a purchase that was paid for or costs nothing.
    mutating func purchase(of type: ProductType) {
        become(.purchased)
        isEntitlement = type != .consumable
    }

    /// Ends it because the product was owned: no new entitlement.
    mutating func repeatPurchase(of original: OriginalRecord) {
        become(.purchased)
        self.original = original
    }

    /// Has it wait.
    mutating func wait(_ state: TransactionState, for blocker: Blocker, until deadline: Date? = nil) {
        self.state = state
        self.blocker = blocker
        self.deadline = deadline
    }

    private mutating func become(_ state: TransactionState) {
        self.state = state
        blocker = nil
        deadline = nil
    }
}
