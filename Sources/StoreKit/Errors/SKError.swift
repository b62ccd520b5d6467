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
