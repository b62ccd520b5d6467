import CStoreKit
import Foundation

/// What a download shows.
struct DownloadFields {
    /// At the daemon; nil for an object that is no download of the store's.
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
