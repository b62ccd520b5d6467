public import CStoreKit
public import Foundation

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
