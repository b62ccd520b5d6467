public import Foundation

/// A download's remaining time that nobody can estimate, -1
/// (https://developer.apple.com/documentation/storekit/skdownloadtimeremainingunknown).
public var SKDownloadTimeRemainingUnknown: TimeInterval { -1 }
