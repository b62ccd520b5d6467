public import TillModel
import TillWire

/// Payment methods that the account keeps at the provider, and that pay for the renewals of its subscriptions.
///
/// All calls throw `failedPrecondition` if the account has paid for no subscription in this application, or if the provider
/// keeps no payment methods; `permissionDenied` in a sandbox; `unavailable` when the provider cannot be asked.
extension PaymentQueue {
    /// The payment methods, the newest first: at most 100.
    public func paymentMethods() async throws(TillError) -> [PaymentMethod] {
        try await call(ListPaymentMethodsRequest()).paymentMethods
    }

    /// Removes a payment method. No renewal is paid with it any more.
    ///
    /// - Throws: `notFound` for one that is not the account's, possibly because this call had removed it before a connection
    ///   was lost.
    public func removePaymentMethod(_ id: String) async throws(TillError) {
        _ = try await call(RemovePaymentMethodRequest(paymentMethodID: id))
    }

    /// The provider's page on which the user adds a payment method, or manages all of them. An unpaid renewal is tried again
    /// within a minute after the user has chosen another one there.
    ///
    /// Anyone who has its address can change the payment methods: show it to the user, and store it nowhere.
    public func paymentMethodPage(_ task: PaymentMethodTask) async throws(TillError) -> String {
        try await call(PaymentMethodPageRequest(task: task)).url
    }
}
