/// Receives the answer of a product request
/// (https://developer.apple.com/documentation/storekit/skproductsrequestdelegate).
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The answer has arrived; called immediately before `requestDidFinish(_:)`
    /// (https://developer.apple.com/documentation/storekit/skproductsrequestdelegate/productsrequest(_:didreceive:)).
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
