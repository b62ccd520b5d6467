import GRDB

/// When the write-ahead log is moved into the file, begun anew, and cut. A page is 4 KiB.
package struct CheckpointPolicy: Hashable, Sendable {
    /// Moves the log once this many pages were written since the last time.
    package var pages: Int
    /// Moves the log at least this often.
    package var interval: Duration
    /// Begins the log anew, over what it holds, once it holds more pages than this; commits wait meanwhile. A flush takes
    /// less where the log does not grow, as the file system has nothing else to write then.
    package var logPages: Int
    /// Cuts the log once it holds more pages than this, as when readers kept it from beginning anew.
    package var logPagesMaximum: Int

    package init(
        pages: Int = 2_000,
        interval: Duration = .seconds(5),
        logPages: Int = 4_000,
        logPagesMaximum: Int = 16_000
    ) {
        self.pages = pages
        self.interval = interval
        self.logPages = logPages
        self.logPagesMaximum = logPagesMaximum
    }

    /// What is to be done with a log that was moved and holds so many pages; nil for nothing.
    func ending(ofLogWith pages: Int) -> Database.CheckpointMode? {
        if pages > logPagesMaximum {
            .truncate
        } else if pages > logPages {
            .restart
        } else {
            nil
        }
    }
}
