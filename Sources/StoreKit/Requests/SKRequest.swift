public import Foundation

/// A request to the store (https://developer.apple.com/documentation/storekit/skrequest).
///
/// A started request stays alive until it has ended; the application need not keep a reference to it.
open class SKRequest: NSObject {
    let lifecycle = RequestLifecycle()

    /// Creates an empty request.
    public override init() {
        super.init()
    }

    /// Starts the request; calling it again has no effect
    /// (https://developer.apple.com/documentation/storekit/skrequest/start()).
    open func start() {}

    /// Cancels the request; the delegate receives no more calls
    /// (https://developer.apple.com/documentation/storekit/skrequest/cancel()).
    open func cancel() {
        lifecycle.cancel()
    }
}
