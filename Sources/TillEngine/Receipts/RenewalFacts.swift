package import FoundationEssentials
import Logging
package import TillModel

/// What a subscription's renewal information says.
package struct RenewalFacts: Hashable, Sendable {
    /// With the state as of ``date``.
    package var subscription: SubscriptionRecord
    /// How keys are published.
    package var numbering: LedgerNumbering
    /// Of the payment of the last period.
    package var applicationUsername: String?
    /// What the next renewal costs; nil when none is to come, or when the store does not have its product.
    package var price: ReceiptFacts.Paid?
    /// The offer that sets that price.
    package var offer: AppliedOffer?
    /// How long the offer lasts, as an ISO 8601 duration; nil when the store does not have the offer any more.
    package var offerPeriod: String?
    /// When it is signed.
    package var date: Date

    package init(
        subscription: SubscriptionRecord,
        numbering: LedgerNumbering,
        applicationUsername: String? = nil,
        price: ReceiptFacts.Paid? = nil,
        offer: AppliedOffer? = nil,
        offerPeriod: String? = nil,
        date: Date
    ) {
        self.subscription = subscription
        self.numbering = numbering
        self.applicationUsername = applicationUsername
        self.price = price
        self.offer = offer
        self.offerPeriod = offerPeriod
        self.date = date
    }
}

extension PaymentEngine {
    /// The facts of a subscription's renewal information.
    ///
    /// - Parameter latest: The transaction of the last period.
    func renewalFacts(_ record: SubscriptionRecord, latest: TransactionRecord?, at date: Date) -> RenewalFacts {
        var subscription = record
        subscription.state = record.state(at: date)
        if subscription.state == .expired, record.state != .expired {
            subscription.expire(.autoRenewDisabled)
        }
        let product = product(record.renewalProductID)
        let price = subscription.willRenew ? RenewalPrice(record, product: product) : nil
        let offer = price?.offer?.offer
        return RenewalFacts(
            subscription: subscription,
            numbering: numbering,
            applicationUsername: latest?.payment.applicationUsername,
            price: price.map { ReceiptFacts.Paid(amount: $0.amount, currency: $0.currency) },
            offer: offer,
            offerPeriod: offer.flatMap { product?.offer($0)?.length },
            date: date
        )
    }

    /// The signed renewal information, by facts; nil where nothing is signed, or what cannot be signed.
    func signedRenewals(_ facts: [RenewalFacts]) -> [String?] {
        guard let receipts, !facts.isEmpty else {
            return facts.map { _ in nil }
        }
        return facts.map { facts in
            do {
                return try receipts.sign(facts).compact
            } catch {
                logger.error("Renewal information could not be signed", metadata: ["error": "\(error)"])
                return nil
            }
        }
    }
}
