import TillModel

extension ProductType {
    /// For programs.
    var name: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non_consumable"
        case .nonRenewingSubscription: "non_renewing_subscription"
        case .autoRenewableSubscription: "auto_renewable_subscription"
        }
    }

    /// For people.
    var title: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewingSubscription: "non-renewing subscription"
        case .autoRenewableSubscription: "auto-renewable subscription"
        }
    }
}
