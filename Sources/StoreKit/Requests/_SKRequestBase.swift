/// What makes ``SKRequest`` have a delegate of its own type, and ``SKProductsRequest`` one of a narrower type, under the
/// same name: the base's is declared here and not in the class.
public protocol _SKRequestBase: AnyObject {}

extension SKRequest: _SKRequestBase {}

extension _SKRequestBase where Self: SKRequest {
    /// Who is told how the request ends; held weakly
    /// (https://developer.apple.com/documentation/storekit/skrequest/delegate).
    public var delegate: (any SKRequestDelegate)? {
        get { life.delegate }
        set { life.delegate = newValue }
    }
}
