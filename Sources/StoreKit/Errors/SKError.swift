public import CStoreKit
public import Foundation

/// The reason a payment, a restore or a request failed (https://developer.apple.com/documentation/storekit/skerror).
///
/// An error is both a Swift value and an `NSError` of ``SKErrorDomain``, and can be cast and caught as either. Its
/// `userInfo` has further details under the keys of ``SKTillErrorKey``.
public struct SKError: _BridgedStoredNSError {
    /// The error code with StoreKit's numbers. The set is open: every number is a code.
    public typealias Code = SKErrorCode

    public let _nsError: NSError

    /// Wraps any error, even of another domain, and keeps its code.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    public static var _nsErrorDomain: String { SKErrorDomain }

    /// ``StoreKit/SKErrorDomain``.
    public static var errorDomain: String { SKErrorDomain }

    /// Hashes domain and code, because Foundation's `hash` of an `NSError` recurses infinitely.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(_nsError.domain)
        hasher.combine(_nsError.code)
    }

    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    public static func == (left: SKError, right: SKError) -> Bool {
        left._nsError.isEqual(right._nsError)
    }
}

/// The domain of ``SKError`` (https://developer.apple.com/documentation/storekit/skerrordomain).
public let SKErrorDomain = "SKErrorDomain"

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

extension SKErrorCode: @retroactive _ErrorCodeProtocol {
    public typealias _ErrorType = SKError
}

extension SKError: _ObjectiveCBridgeable {
    public typealias _ObjectiveCType = NSError

    public func _bridgeToObjectiveC() -> NSError {
        _nsError
    }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = SKError(_nsError: source)
    }

    /// An error of another domain is not an `SKError`.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) -> Bool {
        result = source.domain == SKErrorDomain ? SKError(_nsError: source) : nil
        return result != nil
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        SKError(_nsError: source ?? NSError(domain: SKErrorDomain, code: SKErrorCode.unknown.rawValue))
    }
}
