// The enumerations of StoreKit 1, with its raw values.
//
// They are C's because Swift's own cannot be open: of an open one every raw value is a value, as on Apple's systems.
#ifndef CSTOREKIT_H
#define CSTOREKIT_H

#define CSTOREKIT_OPEN(type, name) enum __attribute__((enum_extensibility(open))) name : type
#define CSTOREKIT_CLOSED(type, name) enum __attribute__((enum_extensibility(closed))) name : type

/// Where a transaction stands (https://developer.apple.com/documentation/storekit/skpaymenttransactionstate).
typedef CSTOREKIT_OPEN(long, SKPaymentTransactionState) {
    /// Being added to the store's queue, or being paid for there.
    SKPaymentTransactionStatePurchasing = 0,
    /// Paid for: deliver what was bought, and finish the transaction.
    SKPaymentTransactionStatePurchased = 1,
    /// Refused or failed; the transaction's error says why. Finish it too.
    SKPaymentTransactionStateFailed = 2,
    /// A purchase of before, brought back. Deliver it, and finish the transaction.
    SKPaymentTransactionStateRestored = 3,
    /// Waits for somebody's approval; its final state comes later.
    SKPaymentTransactionStateDeferred = 4,
} SKPaymentTransactionState;

/// Where a download stands (https://developer.apple.com/documentation/storekit/skdownloadstate).
typedef CSTOREKIT_CLOSED(long, SKDownloadState) {
    /// Not started, or about to be.
    SKDownloadStateWaiting = 0,
    /// Under way.
    SKDownloadStateActive = 1,
    /// Stopped until it is resumed.
    SKDownloadStatePaused = 2,
    /// The content is there.
    SKDownloadStateFinished = 3,
    /// It failed; the download's error says why.
    SKDownloadStateFailed = 4,
    /// The application gave it up.
    SKDownloadStateCancelled = 5,
} SKDownloadState;

/// The unit of a subscription's period (https://developer.apple.com/documentation/storekit/skproduct/periodunit).
typedef CSTOREKIT_OPEN(unsigned long, SKProductPeriodUnit) {
    SKProductPeriodUnitDay = 0,
    SKProductPeriodUnitWeek = 1,
    SKProductPeriodUnitMonth = 2,
    SKProductPeriodUnitYear = 3,
} SKProductPeriodUnit;

/// How a discount is paid (https://developer.apple.com/documentation/storekit/skproductdiscount/paymentmode-swift.enum).
typedef CSTOREKIT_OPEN(unsigned long, SKProductDiscountPaymentMode) {
    /// The price is charged for every period.
    SKProductDiscountPaymentModePayAsYouGo = 0,
    /// The price is charged once.
    SKProductDiscountPaymentModePayUpFront = 1,
    /// Nothing is charged.
    SKProductDiscountPaymentModeFreeTrial = 2,
} SKProductDiscountPaymentMode;

/// What kind of offer a discount is (https://developer.apple.com/documentation/storekit/skproductdiscount/type-swift.enum).
typedef CSTOREKIT_OPEN(unsigned long, SKProductDiscountType) {
    /// For who subscribes for the first time.
    SKProductDiscountTypeIntroductory = 0,
    /// For who subscribes or was subscribed.
    SKProductDiscountTypeSubscription = 1,
} SKProductDiscountType;

/// Why something failed (https://developer.apple.com/documentation/storekit/skerror/code).
typedef CSTOREKIT_OPEN(long, SKErrorCode) {
    SKErrorUnknown = 0,
    SKErrorClientInvalid = 1,
    SKErrorPaymentCancelled = 2,
    SKErrorPaymentInvalid = 3,
    SKErrorPaymentNotAllowed = 4,
    SKErrorStoreProductNotAvailable = 5,
    SKErrorCloudServicePermissionDenied = 6,
    SKErrorCloudServiceNetworkConnectionFailed = 7,
    SKErrorCloudServiceRevoked = 8,
    SKErrorPrivacyAcknowledgementRequired = 9,
    SKErrorUnauthorizedRequestData = 10,
    SKErrorInvalidOfferIdentifier = 11,
    SKErrorInvalidSignature = 12,
    SKErrorMissingOfferParams = 13,
    SKErrorInvalidOfferPrice = 14,
    SKErrorOverlayCancelled = 15,
    SKErrorOverlayInvalidConfiguration = 16,
    SKErrorOverlayTimeout = 17,
    SKErrorIneligibleForOffer = 18,
    SKErrorUnsupportedPlatform = 19,
    SKErrorOverlayPresentedInBackgroundScene = 20,
} SKErrorCode;

#endif
