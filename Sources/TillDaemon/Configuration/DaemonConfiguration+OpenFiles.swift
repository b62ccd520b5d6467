import TTRPC
import TillDownloads

/// The number of files that the daemon may have open at the same time.
extension DaemonConfiguration {
    /// The files of an active download: its socket, its partial file and its directory.
    static let filesOfDownload = 3
    /// The files of the ledger: its file and log, for each of the writer, the checkpointer, four readers and the check at the
    /// start; and the shared index of the log.
    static let filesOfLedger = 2 * 7 + 1
    /// The files of the process: standard input, output and error; the listening socket; the locks of the state, the socket
    /// and the content; three directories of the content; the provider's record; and Dispatch's selector, waker and timers.
    static let filesOfProcess = 3 + 1 + 3 + 3 + 1 + 6
    /// Files that are open briefly: certificates, files in `/proc`, directories that are flushed.
    static let filesTransient = 32

    /// The minimum limit of open files with which clients cannot exhaust the daemon's descriptors.
    var openFilesNeeded: Int {
        limits.descriptorsMaximum + downloads.concurrentMaximum * Self.filesOfDownload + Self.filesOfLedger
            + Self.filesOfProcess + Self.filesTransient
    }
}
