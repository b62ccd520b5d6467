/// Gets a product request's answer (https://developer.apple.com/documentation/storekit/skproductsrequestdelegate).
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The answer, right before `requestDidFinish(_:)`
    /// (https://developer.apple.com/documentation/storekit/skproductsrequestdelegate/productsrequest(_:didreceive:)).
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}
