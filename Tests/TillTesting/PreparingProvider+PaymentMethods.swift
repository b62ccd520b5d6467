import TillEngine
package import TillModel

/// The payer of each payment keeps one payment method, which is named after the payment.
extension PreparingProvider: PaymentMethodProvider {
    package func paymentMethods(ofPayment reference: String) async throws(TillError) -> [PaymentMethod] {
        [PaymentMethod(id: "of \(reference)", type: "card", isDefault: true)]
    }

    package func removePaymentMethod(_ id: String, ofPayment reference: String) async throws(TillError) {
        guard id == "of \(reference)" else {
            throw TillError(.notFound, "no such payment method")
        }
    }

    package func paymentMethodPage(
        _ task: PaymentMethodTask,
        ofPayment reference: String
    ) async throws(TillError) -> String {
        "https://pay.example/\(task)/\(reference)"
    }
}
