import Foundation

/// Exits with status 173, which means that there is no valid receipt
/// (https://developer.apple.com/documentation/storekit/skterminateforinvalidreceipt()).
public func SKTerminateForInvalidReceipt() {
    exit(173)
}
