import CStoreKit
import Foundation

/// The values of a download object.
struct DownloadValues {
    /// The id at the daemon; nil for an object that is not a download of the store.
    var identity: UUID?
    var productIdentifier = ""
    var state = SKDownloadState.waiting
    var contentIdentifier = ""
    var contentVersion = ""
    var contentLength: Int64 = 0
    var contentURL: URL?
    var error: (any Error)?
    var progress: Float = 0
    var timeRemaining: TimeInterval = SKDownloadTimeRemainingUnknown
    var transaction: SKPaymentTransaction?
}
