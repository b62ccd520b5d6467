import TillModel

/// How far several downloads are together.
struct DownloadProgressSum: Hashable, Sendable {
    var finishedCount = 0
    var count = 0
    var receivedBytes: Int64 = 0
    var bytes: Int64 = 0
    /// Of the one that takes longest, when all active ones have an estimate.
    var timeRemaining: Duration?

    init(_ downloads: [Download]) {
        count = downloads.count
        finishedCount = downloads.count { $0.state == .finished }
        for download in downloads {
            receivedBytes = Self.sum(receivedBytes, min(download.receivedBytes, download.content.length))
        }
        bytes = Self.bytes(of: downloads.map(\.content))
        let estimates = downloads.filter { $0.state == .active }.map(\.timeRemaining)
        let known = estimates.compactMap(\.self)
        timeRemaining = known.count == estimates.count ? known.max() : nil
    }

    /// From 0 to 1.
    var share: Double {
        bytes > 0 ? min(1, Double(receivedBytes) / Double(bytes)) : 0
    }

    /// How large the pieces are together.
    static func bytes(of contents: [ProductContent]) -> Int64 {
        contents.reduce(0) { sum($0, $1.length) }
    }

    /// What a peer says may be too much, or less than nothing.
    private static func sum(_ total: Int64, _ more: Int64) -> Int64 {
        let (sum, hasOverflown) = total.addingReportingOverflow(max(0, more))
        return hasOverflown ? .max : sum
    }
}
