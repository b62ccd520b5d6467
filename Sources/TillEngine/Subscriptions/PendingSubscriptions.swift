package import FoundationEssentials
package import TillModel

enum SubscriptionPurchase {
    static func plan(_ payment: Payment, _ product: Product, _ facts: PurchasePlan.Facts) -> PurchasePlan {
        .refused(PurchasePlan.unchargeable(product))
    }
}

extension PaymentEngine {
    func grantSubscription(
        _ transaction: inout TransactionRecord,
        product: Product,
        charge: ChargeRecord?,
        _ context: inout CommandContext
    ) throws {}

    func settleRenewal(_ charge: ChargeRecord, _ outcome: DefiniteOutcome, _ context: inout CommandContext) throws {}

    func advance(subscription key: Int64) async throws(TillError) {}

    func resolveBilling(ofSubscription key: Int64, by identity: OperatorIdentity) async throws(TillError) {}

    package func answerPriceConsent(_ id: UUID, agrees: Bool, by identity: OperatorIdentity) async throws(TillError)
        -> SubscriptionStatus
    {
        throw TillError(.unimplemented, "Not yet.")
    }
}
