public import Foundation

/// Receives the end of a request (https://developer.apple.com/documentation/storekit/skrequestdelegate).
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request succeeded
    /// (https://developer.apple.com/documentation/storekit/skrequestdelegate/requestdidfinish(_:)). Optional.
    func requestDidFinish(_ request: SKRequest)

    /// The request failed; no other call follows
    /// (https://developer.apple.com/documentation/storekit/skrequestdelegate/request(_:didfailwitherror:)). Optional.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    public func requestDidFinish(_ request: SKRequest) {}

    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
