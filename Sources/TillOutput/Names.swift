package import TillModel

extension AuthorizationRequest.Kind: CaseNamed {}
extension Blocker: CaseNamed {}
extension ChargeSummary.State: CaseNamed {}
extension DownloadError.Reason: CaseNamed {}
extension DownloadState: CaseNamed {}
extension ExpirationReason: CaseNamed {}
extension FailureReason: CaseNamed {}
extension HistoryEntry.Kind: CaseNamed {}
extension PriceConsent: CaseNamed {}
extension RefundSummary.State: CaseNamed {}
extension RestoreState: CaseNamed {}
extension Revocation.Reason: CaseNamed {}
extension SubscriptionOffer.OfferType: CaseNamed {}
extension SubscriptionOffer.PaymentMode: CaseNamed {}
extension SubscriptionState: CaseNamed {}
extension TransactionFilter.Attention: CaseNamed {}
extension TransactionState: CaseNamed {}

/// Product types do not follow ``CaseNamed``, because StoreKit hyphenates their titles.
extension ProductType {
    /// The name for programs.
    package var name: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non_consumable"
        case .nonRenewingSubscription: "non_renewing_subscription"
        case .autoRenewableSubscription: "auto_renewable_subscription"
        }
    }

    /// The name for people.
    package var title: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewingSubscription: "non-renewing subscription"
        case .autoRenewableSubscription: "auto-renewable subscription"
        }
    }
}
