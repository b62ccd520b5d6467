public import Foundation

/// Something asked of the store (https://developer.apple.com/documentation/storekit/skrequest).
///
/// A request that was started is kept until it has ended; the application need not keep it.
open class SKRequest: NSObject {
    let life = RequestLife()

    /// A request for nothing.
    public override init() {
        super.init()
    }

    /// Asks; a second time does nothing (https://developer.apple.com/documentation/storekit/skrequest/start()).
    open func start() {}

    /// Gives up: the delegate is told nothing more
    /// (https://developer.apple.com/documentation/storekit/skrequest/cancel()).
    open func cancel() {
        life.cancel()
    }
}
