import TTRPC

/// How many files the daemon may have open at the same time.
extension DaemonConfiguration {
    /// The socket, the part and the directory of a download that has a connection.
    static let filesOfDownload = 3
    /// The ledger's file and log, for the writer, the checkpointer, four readers and the check at the start, and the
    /// shared index of the log.
    static let filesOfLedger = 2 * 7 + 1
    /// Standard input, output and error; the listening socket; the locks of the state, the socket and the content; three
    /// directories of the content; the provider's record; and Dispatch's selector, waker and timers.
    static let filesOfProcess = 3 + 1 + 3 + 3 + 1 + 6
    /// Files that are open for a moment: certificates, the table of processes, directories that are flushed.
    static let filesForNow = 32

    /// The smallest limit of open files with which no client can leave the daemon without a descriptor.
    var openFilesNeeded: Int {
        limits.descriptorsMaximum + contentConnections * Self.filesOfDownload + Self.filesOfLedger
            + Self.filesOfProcess + Self.filesForNow
    }
}
