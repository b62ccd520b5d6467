import FoundationEssentials
import TillModel

extension TransactionRecord {
    /// Renewals that one transaction can include.
    static let renewalsMaximum = 1000

    /// Ends it without a purchase.
    mutating func fail(_ error: PaymentError, isInterrupted: Bool = false) {
        state = .failed
        self.error = error
        self.isInterrupted = isInterrupted
        blocker = nil
        deadline = nil
    }

    /// Ends it with a purchase that was paid for or costs nothing.
    mutating func purchase(of type: ProductType, at date: Date) {
        become(.purchased, at: date)
        isEntitlement = type != .consumable
    }

    /// Ends it because the product was owned: no new entitlement, no offer and no charge.
    ///
    /// - Parameters:
    ///   - key: The purchase that makes it free of charge.
    ///   - sale: Its price, which is 0.
    mutating func repeatPurchase(_ key: Int64, of original: OriginalRecord, for sale: SaleRecord?, at date: Date) {
        become(.purchased, at: date)
        self.original = original
        repeats = key
        offer = nil
        self.sale = sale
    }

    /// Makes it wait.
    mutating func wait(_ state: TransactionState, for blocker: Blocker, until deadline: Date? = nil) {
        self.state = state
        self.blocker = blocker
        self.deadline = deadline
    }

    private mutating func become(_ state: TransactionState, at date: Date) {
        self.state = state
        purchasedAt = date
        blocker = nil
        deadline = nil
    }
}
