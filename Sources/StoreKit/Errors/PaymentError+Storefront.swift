import TillModel

extension PaymentError {
    /// The error of a purchase that the delegate refused to continue in another storefront.
    static let otherStorefront = PaymentError(
        .storeProductNotAvailable,
        "The storefront changed and the application did not continue the purchase.",
        reason: .withdrawn
    )
}
