import FoundationEssentials
import Logging
import TillEngine
import TillModel
import TillReceipts

/// Values that the tests sign.
enum Samples {
    static let application = "org.example.notes"
    static let day: TimeInterval = 86_400
    /// 2026-11-21 16:00 UTC.
    static let date = Date(timeIntervalSince1970: 1_795_276_800)
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    static func authority(_ environment: ReceiptEnvironment = .sandbox, at date: Date = date) throws -> ReceiptAuthority
    {
        try ReceiptAuthority(environment: environment, date: date, logger: quiet)
    }

    static func transaction(
        _ type: ProductType? = .nonConsumable,
        key: Int64 = 2_000_000_001,
        state: TransactionState = .purchased,
        quantity: Int = 1,
        username: String? = nil
    ) -> TransactionRecord {
        let payment = Payment(
            productID: "org.example.notes.pro",
            quantity: quantity,
            applicationUsername: username
        )
        return TransactionRecord(
            key: key,
            queue: 7,
            id: payment.id,
            payment: payment,
            productType: type,
            state: state,
            revision: 1,
            createdAt: date.addingTimeInterval(-60)
        )
    }

    static func facts(
        _ transaction: TransactionRecord = transaction(),
        sale: SaleRecord? = SaleRecord(amount: 499, currency: "USD"),
        refund: ReceiptFacts.Refund? = nil,
        date: Date = date
    ) -> ReceiptFacts {
        var transaction = transaction
        transaction.sale = sale
        return ReceiptFacts(
            application: application,
            queue: 7,
            numbering: .plain,
            transaction: transaction,
            period: transaction.term.map { period($0, paidBy: transaction.repeats ?? transaction.key) },
            refund: refund,
            storefront: Storefront(countryCode: "USA", identifier: "143441"),
            date: date
        )
    }

    /// One month of a subscription.
    static func term(isRenewal: Bool = false, isUpgraded: Bool = false) -> TermRecord {
        TermRecord(
            subscription: 3,
            groupID: "21400001",
            start: date.addingTimeInterval(-30),
            end: date.addingTimeInterval(30 * day),
            isRenewal: isRenewal,
            isUpgraded: isUpgraded
        )
    }

    static func period(_ term: TermRecord, paidBy key: Int64) -> ReceiptFacts.Period {
        ReceiptFacts.Period(groupID: term.groupID, end: term.end, isUpgraded: term.isUpgraded, lineItem: key)
    }

    static let original = OriginalRecord(key: 1_999, id: UUID(), purchasedAt: date.addingTimeInterval(-90 * day))
}
