import FoundationEssentials
import TillModel

extension Transaction {
    static let purchased = Transaction(
        id: UUID(high: 0, low: 1),
        revision: 5,
        state: .purchased,
        payment: Payment(id: UUID(high: 0, low: 1), productID: "coins", quantity: 2, applicationUsername: "ann"),
        purchase: purchase
    )

    static let failed = Transaction(
        id: UUID(high: 0, low: 2),
        revision: 6,
        state: .failed,
        payment: Payment(id: UUID(high: 0, low: 2), productID: "coins"),
        error: PaymentError(.unknown, "The card was declined.", providerCode: "card_declined")
    )

    static let restored = Transaction(
        id: UUID(high: 0, low: 3),
        revision: 7,
        state: .restored,
        payment: Payment(id: UUID(high: 0, low: 1), productID: "pro"),
        purchase: PurchaseIdentity(transactionIdentifier: "18", transactionDate: purchase.transactionDate),
        original: OriginalTransaction(id: UUID(high: 0, low: 1), purchase: purchase)
    )

    private static let purchase = PurchaseIdentity(
        transactionIdentifier: "17",
        transactionDate: Date(millisecondsSince1970: 1_772_357_400_250)
    )
}
