public import Foundation

/// Is told how a request ends (https://developer.apple.com/documentation/storekit/skrequestdelegate).
public protocol SKRequestDelegate: NSObjectProtocol {
    /// It succeeded (https://developer.apple.com/documentation/storekit/skrequestdelegate/requestdidfinish(_:)). Optional.
    func requestDidFinish(_ request: SKRequest)

    /// It failed, and nothing follows
    /// (https://developer.apple.com/documentation/storekit/skrequestdelegate/request(_:didfailwitherror:)). Optional.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    public func requestDidFinish(_ request: SKRequest) {}

    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}
