/// When the write-ahead log is moved into the file, and when it is cut.
package struct CheckpointPolicy: Hashable, Sendable {
    /// Moves the log once this many pages were written since the last time.
    package var pages: Int
    /// Moves the log at least this often.
    package var interval: Duration
    /// Cuts the log once it holds more pages than this; commits wait meanwhile. A page is 4 KiB.
    package var logPagesMaximum: Int

    package init(pages: Int = 2_000, interval: Duration = .seconds(5), logPagesMaximum: Int = 16_000) {
        self.pages = pages
        self.interval = interval
        self.logPagesMaximum = logPagesMaximum
    }
}
