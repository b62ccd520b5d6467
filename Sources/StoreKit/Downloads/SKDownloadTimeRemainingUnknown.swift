public import Foundation

/// The remaining time of a download if it cannot be estimated, -1
/// (https://developer.apple.com/documentation/storekit/skdownloadtimeremainingunknown).
public var SKDownloadTimeRemainingUnknown: TimeInterval { -1 }
