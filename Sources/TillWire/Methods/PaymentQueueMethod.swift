/// The calls of the service `till.v1.PaymentQueue`, by their names.
package enum PaymentQueueMethod: String, Hashable, Sendable, CaseIterable {
    case hello = "Hello"
    case canMakePayments = "CanMakePayments"
    case addPayment = "AddPayment"
    case cancelPayment = "CancelPayment"
    case finishTransaction = "FinishTransaction"
    case listTransactions = "ListTransactions"
    case restoreCompletedTransactions = "RestoreCompletedTransactions"
    case restoreStatus = "RestoreStatus"
    case cancelRestore = "CancelRestore"
    case entitlements = "Entitlements"
    case subscriptions = "Subscriptions"
    /// Answers with a stream.
    case observe = "Observe"
    case acknowledge = "Acknowledge"
    case cancel = "Cancel"

    package static let service = "till.v1.PaymentQueue"
}
