public import CStoreKit
public import Foundation

/// Why a payment, a restore or a request failed (https://developer.apple.com/documentation/storekit/skerror).
///
/// An error is the same as a Swift value and as an `NSError` of ``SKErrorDomain``: it is cast and caught as either. Its
/// `userInfo` says more, under the keys of ``SKTillErrorKey``.
public struct SKError: _BridgedStoredNSError {
    /// Why, in StoreKit's numbers. Open: every number is a code.
    public typealias Code = SKErrorCode

    public let _nsError: NSError

    /// Wraps any error, also of another domain, whose number is kept.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    public static var _nsErrorDomain: String { SKErrorDomain }

    /// ``StoreKit/SKErrorDomain``.
    public static var errorDomain: String { SKErrorDomain }

    /// Of what names the error; Foundation's own `hash` of an `NSError` calls itself for ever.
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
