import TillModel

extension PaymentError {
    /// Of a purchase that the delegate did not want to go on in another storefront.
    static let otherStorefront = PaymentError(
        .storeProductNotAvailable,
        "The storefront changed, and the application did not go on.",
        reason: .withdrawn
    )
}
