package import Logging

/// Where content is kept, and what fetching it may cost.
package struct DownloaderConfiguration: Sendable {
    /// What a bandwidth limit is at least, so that no server takes our waiting for a lost connection.
    package static let bandwidthMinimum: Int64 = 64 * 1024

    /// The content directory's absolute path. It is made when it is missing; its parent is not. For accounts other than
    /// the daemon's own to read their content, its parents must let them pass.
    package var directory: String
    /// Downloads at work at once, at least 1, and so the number of connections; others wait for a place.
    package var concurrentMaximum = 4
    /// Bytes a second for all downloads together, at least ``bandwidthMinimum``; nil for no limit.
    package var bandwidth: Int64?
    /// The part of the file system, from 0 to 1, that stays free: below it, downloads fail.
    package var freeSpaceFloor = 0.05
    package var archives = ArchiveLimits()
    package var connectTimeout: Duration = .seconds(10)
    /// How long a server may send nothing.
    package var idleTimeout: Duration = .seconds(30)
    package var backOff = BackOff()
    /// Who reads an account's content; nil when nobody can tell.
    package var user: @Sendable (_ account: String) -> UInt32? = AccountUser.ofAccount
    /// For the pace of everything; the two time-outs above are by the machine's own.
    package var clock: any Clock<Duration> = ContinuousClock()
    package var logger = Logger(label: "till.downloads") { _ in SwiftLogNoOpLogHandler() }

    package init(directory: String) {
        self.directory = directory
    }
}
