package import TillModel

/// A provider that keeps payment methods, with which renewals are paid while their payer is away.
///
/// Each method takes the reference of a payment, and is about the payer who made it.
package protocol PaymentMethodProvider: PaymentProvider {
    /// The payer's methods, the newest first: at most 100.
    ///
    /// - Throws: `unavailable` when the provider cannot be asked.
    func paymentMethods(ofPayment reference: String) async throws(TillError) -> [PaymentMethod]
    /// Takes a method away from the payer.
    ///
    /// - Throws: `notFound` if it is not the payer's, `unavailable` when the provider cannot be asked.
    func removePaymentMethod(_ id: String, ofPayment reference: String) async throws(TillError)
    /// The address of a page for the payer. Anyone who has it can change the payment methods, so it is never stored.
    ///
    /// - Throws: `unavailable` when the provider cannot be asked.
    func paymentMethodPage(_ task: PaymentMethodTask, ofPayment reference: String) async throws(TillError) -> String
}
