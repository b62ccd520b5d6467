import FoundationEssentials
@testable import TillEngine
import TillModel
import TillTesting

/// Subscriptions to the group "news" of the test catalogue.
enum SubscriptionSamples {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let day: TimeInterval = 86400

    static func product(_ id: String, _ catalogue: TestCatalogue = TestCatalogue()) -> Product? {
        catalogue.product(id, locale: nil, storefront: "USA")
    }

    /// A subscription to silver, in force for 31 days from ``start``.
    static func record(_ change: (inout SubscriptionRecord) -> Void = { _ in }) -> SubscriptionRecord {
        let end = start.addingTimeInterval(31 * day)
        var record = SubscriptionRecord(
            key: 7,
            queue: 1,
            groupID: "news",
            original: OriginalRecord(key: 3, id: UUID(high: 0, low: 3), purchasedAt: start),
            latestKey: 3,
            productID: "silver",
            renewalProductID: "silver",
            periodStart: start,
            periodEnd: end,
            renewalAmount: 499,
            currency: "USD",
            dueAt: end
        )
        change(&record)
        return record
    }

    /// The same, unpaid since its end.
    static func unpaid(hasGrace: Bool = false, _ change: (inout SubscriptionRecord) -> Void = { _ in })
        -> SubscriptionRecord
    {
        record { record in
            var settings = StoreSettings()
            settings.hasGracePeriod = hasGrace
            let month = SubscriptionPeriod(unit: .month, value: 1)
            record.failBilling(month, settings, at: record.periodEnd)
            change(&record)
        }
    }

    static func discount(_ id: String) -> PaymentDiscount {
        PaymentDiscount(identifier: id, keyIdentifier: "key", nonce: UUID(), signature: "signature", timestamp: start)
    }

    /// In days from ``start``.
    static func days(_ date: Date?) -> Double? {
        date.map { $0.timeIntervalSince(start) / day }
    }
}
