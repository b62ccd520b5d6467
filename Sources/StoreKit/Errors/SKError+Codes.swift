public import CStoreKit

/// The codes as static members, for pattern matching (https://developer.apple.com/documentation/storekit/skerror).
extension SKError {
    /// The provider declined the payment, or the reason is unknown.
    public static var unknown: Code { .unknown }

    /// No authorisation agent was available to ask the user for consent.
    public static var clientInvalid: Code { .clientInvalid }

    /// The user or the user's approver declined the payment.
    public static var paymentCancelled: Code { .paymentCancelled }

    /// The payment is invalid.
    public static var paymentInvalid: Code { .paymentInvalid }

    /// The account is not allowed to pay.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }

    /// The store does not sell the product.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }

    /// Not used here.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }

    /// The provider could not be reached.
    public static var cloudServiceNetworkConnectionFailed: Code { .cloudServiceNetworkConnectionFailed }

    /// Not used here.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }

    /// Not used here.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }

    /// `requestData` is reserved.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }

    /// The product has no offer with this identifier.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }

    /// The discount's signature is invalid or too old.
    public static var invalidSignature: Code { .invalidSignature }

    /// The discount lacks required parameters.
    public static var missingOfferParams: Code { .missingOfferParams }

    /// The offer's price cannot be charged.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }

    /// Not used here.
    public static var overlayCancelled: Code { .overlayCancelled }

    /// Not used here.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }

    /// Not used here.
    public static var overlayTimeout: Code { .overlayTimeout }

    /// The account is not eligible for the offer.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }

    /// Not used here.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }

    /// Not used here.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
}
