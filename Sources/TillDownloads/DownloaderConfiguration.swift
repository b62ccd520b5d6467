package import Logging

/// The configuration of content downloads: the directory and the limits.
package struct DownloaderConfiguration: Sendable {
    /// The minimum bandwidth limit; with a lower one, servers could treat the delays as a lost connection.
    package static let bandwidthMinimum: Int64 = 64 * 1024

    /// The content directory's absolute path. The directory is created if it is missing, but its parent is not.
    /// Accounts of other users can only read their content if they may traverse its parents.
    package var directory: String
    /// The maximum number of concurrent downloads, and so of connections; at least 1. Further downloads wait.
    package var concurrentMaximum = 4
    /// The total bandwidth of all downloads in bytes per second, at least ``bandwidthMinimum``; nil for no limit.
    package var bandwidth: Int64?
    /// The fraction of the file system, from 0 to 1, that must stay free; below it, downloads fail.
    package var freeSpaceFloor = 0.05
    package var archives = ArchiveLimits()
    package var connectTimeout: Duration = .seconds(10)
    /// The timeout for a server that sends nothing.
    package var idleTimeout: Duration = .seconds(30)
    package var backoff = Backoff()
    /// The user that may read an account's content; nil if unknown.
    package var user: @Sendable (_ account: String) -> UInt32? = AccountUser.ofAccount
    /// The clock for all pacing; the two timeouts above use the machine's clock.
    package var clock: any Clock<Duration> = ContinuousClock()
    package var logger = Logger(label: "till.downloads") { _ in SwiftLogNoOpLogHandler() }

    package init(directory: String) {
        self.directory = directory
    }
}
