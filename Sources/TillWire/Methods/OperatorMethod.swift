/// The calls of the service `till.v1.Operator`, by their names.
package enum OperatorMethod: String, Hashable, Sendable, CaseIterable {
    case listTransactions = "ListTransactions"
    case explain = "Explain"
    case resolve = "Resolve"
    case refund = "Refund"
    case expireSubscription = "ExpireSubscription"
    case renewSubscription = "RenewSubscription"
    case enableAutoRenew = "EnableAutoRenew"
    case disableAutoRenew = "DisableAutoRenew"
    case requestPriceConsent = "RequestPriceConsent"
    case answerPriceConsent = "AnswerPriceConsent"
    case promote = "Promote"
    case settings = "Settings"
    case changeSettings = "ChangeSettings"
    case clock = "Clock"
    case advanceClock = "AdvanceClock"
    case reconcile = "Reconcile"
    case rebuildReceipt = "RebuildReceipt"
    case audit = "Audit"

    package static let service = "till.v1.Operator"
}
