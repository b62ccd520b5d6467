/// The calls of the service `till.v1.PaymentQueue`, by their names.
package enum PaymentQueueMethod: String, Hashable, Sendable, CaseIterable {
    case hello = "Hello"
    case canMakePayments = "CanMakePayments"
    case addPayment = "AddPayment"
    case finishTransaction = "FinishTransaction"
    case listTransactions = "ListTransactions"
    case restoreCompletedTransactions = "RestoreCompletedTransactions"
    /// Answers with a stream.
    case observe = "Observe"
    case acknowledge = "Acknowledge"
    case cancel = "Cancel"

    package static let service = "till.v1.PaymentQueue"
}
