import Foundation

/// Ends the process with the status 173, which says that there is no valid receipt
/// (https://developer.apple.com/documentation/storekit/skterminateforinvalidreceipt()).
public func SKTerminateForInvalidReceipt() {
    exit(173)
}
