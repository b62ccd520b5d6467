import FoundationEssentials
import TillModel
import TillOutput

/// A download.
struct DownloadLine: OutputLine {
    let download: Download

    /// The content and its version, the state, then the other values by name.
    var text: String {
        let content = "\(download.content.identifier) \(download.content.version)"
        return "\(content)  \(download.state.name)  \(details.text)\(download.error.map { "  \($0.message)" } ?? "")"
    }

    private var details: Details {
        [
            "id": download.id.text,
            "product": download.productID,
            "bytes": "\(download.receivedBytes)/\(download.content.length)",
            "remaining": download.timeRemaining.map { "\($0.components.seconds)s" },
            "transaction": download.transactionID.text,
            "path": download.contentPath,
            "reason": download.error?.reason.words(separator: "-"),
        ]
    }

    var json: JSONObject {
        [
            "id": download.id,
            "transaction_id": download.transactionID,
            "product_id": download.productID,
            "content_identifier": download.content.identifier,
            "version": download.content.version,
            "length": download.content.length,
            "state": download.state.name,
            "received_bytes": download.receivedBytes,
            "time_remaining_seconds": download.timeRemaining.map { $0 / .seconds(1) },
            "error": download.error?.message,
            "reason": download.error?.reason.name,
            "path": download.contentPath,
        ]
    }
}

extension Console {
    /// Prints each download as a line or an object.
    func print(_ downloads: [Download], asJSON: Bool) throws {
        try downloads.forEach { try print(DownloadLine(download: $0), asJSON: asJSON) }
    }
}

/// The common progress of several downloads.
struct DownloadProgressSum: Hashable, Sendable {
    var finishedCount = 0
    var count = 0
    var receivedBytes: Int64 = 0
    var bytes: Int64 = 0
    /// The longest estimate, if all active downloads have one.
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

    /// The total size of several content packages.
    static func bytes(of contents: [ProductContent]) -> Int64 {
        contents.reduce(0) { sum($0, $1.length) }
    }

    /// The sum, limited to the values of `Int64`, because a peer's numbers may be too large or negative.
    private static func sum(_ total: Int64, _ more: Int64) -> Int64 {
        let (sum, hasOverflown) = total.addingReportingOverflow(max(0, more))
        return hasOverflown ? .max : sum
    }
}

/// The progress of downloads in the last line of a terminal. Without a terminal it draws nothing.
struct DownloadBar {
    let console: Console

    func draw(_ progress: DownloadProgressSum) {
        console.show?("\(ProgressBar.emptyLine)\(Self.text(progress))")
    }

    /// Removes the bar, so that a line of output can be printed.
    func clear() {
        console.show?(ProgressBar.emptyLine)
    }

    static func text(_ progress: DownloadProgressSum) -> String {
        let percent = "\(Int(progress.share * 100)) %"
        let bytes = "\(ByteCount(bytes: progress.receivedBytes)) of \(ByteCount(bytes: progress.bytes))"
        let count = progress.count > 1 ? "  \(progress.finishedCount) of \(progress.count) done" : ""
        let left = progress.timeRemaining.map { "  \(Self.time($0)) left" } ?? ""
        return "[\(ProgressBar.bar(progress.share))] \(percent)  \(bytes)\(count)\(left)"
    }

    /// The duration in whole seconds, rounded up so that it does not end too early. Hours have no seconds.
    static func time(_ duration: Duration) -> String {
        let (whole, rest) = duration.components
        let seconds = rest > 0 && whole < .max ? max(0, whole + 1) : max(0, whole)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }
}
