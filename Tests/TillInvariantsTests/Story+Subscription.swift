import FoundationEssentials
import TillEngine
import TillInvariants
import TillModel

extension Story {
    static let basic = Payment(productID: "basic")
    static let renewal = Payment(productID: "basic")

    /// The first period, and its renewal.
    static var periods: [TransactionRecord] {
        var renewed = period(8, renewal, isRenewal: true)
        renewed.original = OriginalRecord(key: 7, id: basic.id, purchasedAt: date)
        var first = period(7, basic, isRenewal: false)
        first.offer = introduction
        return [first, renewed]
    }

    static var periodCharges: [ChargeRecord] {
        var charge = charge(8, renewal, 300, .succeeded)
        charge.subscriptionKey = 1
        return [Self.charge(7, basic, 100, .succeeded), charge]
    }

    static let introduction = AppliedOffer(type: .introductory, id: nil, paymentMode: .payAsYouGo)

    /// The consent to the price of ``renewal``.
    static let consent = Fact.priceAgreed(payment: basic.id, amount: 300, currency: "USD")

    static let subscription = SubscriptionRecord(
        key: 1,
        queue: 1,
        groupID: "service",
        original: OriginalRecord(key: 7, id: basic.id, purchasedAt: date),
        latestKey: 8,
        productID: "basic",
        renewalProductID: "basic",
        state: .expired,
        periodStart: date.addingTimeInterval(10),
        periodEnd: date.addingTimeInterval(20),
        renewalAmount: 300,
        currency: "USD",
        dueAt: nil
    )

    private static func period(_ key: Int64, _ payment: Payment, isRenewal: Bool) -> TransactionRecord {
        var row = Self.row(key, payment, .purchased, 0)
        let start = isRenewal ? date.addingTimeInterval(10) : date
        row.term = TermRecord(
            subscription: 1,
            groupID: "service",
            start: start,
            end: start.addingTimeInterval(10),
            isRenewal: isRenewal
        )
        return row
    }
}
