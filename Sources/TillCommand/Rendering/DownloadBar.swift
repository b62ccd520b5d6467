/// How far downloads have come, in the last line of a terminal; nothing where there is none.
struct DownloadBar {
    let console: Console

    func draw(_ progress: DownloadProgressSum) {
        console.show?("\(ProgressBar.emptyLine)\(Self.text(progress))")
    }

    /// Makes room for a line of output.
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

    /// Rounded up, so that nothing is due before its time. Hours are shown without seconds.
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
