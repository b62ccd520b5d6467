public import CStoreKit

/// The codes under the error's own name, to catch by (https://developer.apple.com/documentation/storekit/skerror).
extension SKError {
    /// The provider declined, or nobody knows why.
    public static var unknown: Code { .unknown }

    /// Nobody was there to ask the user for consent.
    public static var clientInvalid: Code { .clientInvalid }

    /// The user, or who answers for them, said no.
    public static var paymentCancelled: Code { .paymentCancelled }

    /// The payment itself is wrong.
    public static var paymentInvalid: Code { .paymentInvalid }

    /// The account may not pay.
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

    /// The product has no offer of that identifier.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }

    /// The discount's signature does not belong to it, or is too old.
    public static var invalidSignature: Code { .invalidSignature }

    /// The discount lacks what an offer needs.
    public static var missingOfferParams: Code { .missingOfferParams }

    /// The offer's price cannot be charged.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }

    /// Not used here.
    public static var overlayCancelled: Code { .overlayCancelled }

    /// Not used here.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }

    /// Not used here.
    public static var overlayTimeout: Code { .overlayTimeout }

    /// The account may not have the offer.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }

    /// Not used here.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }

    /// Not used here.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
}
