/// Lets ``SKRequest`` and ``SKProductsRequest`` have delegates of different types under the same name: the delegate of
/// ``SKRequest`` is declared here and not in the class.
public protocol _SKRequestBase: AnyObject {}

extension SKRequest: _SKRequestBase {}

extension _SKRequestBase where Self: SKRequest {
    /// The delegate, which is notified of the request's end; held weakly
    /// (https://developer.apple.com/documentation/storekit/skrequest/delegate).
    public var delegate: (any SKRequestDelegate)? {
        get { lifecycle.delegate }
        set { lifecycle.delegate = newValue }
    }
}
