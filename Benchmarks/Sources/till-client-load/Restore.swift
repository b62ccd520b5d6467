import ArgumentParser
import Gauges
import TillClient

struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore all purchases, measuring time and memory."
    )

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let queue = daemon.queue()
        _ = try await queue.status()
        let before = ProcessMemory.peak.kibibytes() ?? 0
        var begun = Moment.now
        var count = 0
        changes: for try await change in queue.changes {
            switch change {
            case .initialDeliveryEnded:
                begun = .now
                try await queue.beginRestore()
            case .updated(let transactions):
                count += transactions.count { $0.state == .restored }
            case .restoreFinished:
                break changes
            case .restoreFailed(_, let error):
                throw error
            default:
                continue
            }
        }
        try Report.printOut([
            "operations": Double(count),
            "seconds": (Moment.now - begun) / .seconds(1),
            "kibibytesBefore": before,
            "kibibytesAfter": ProcessMemory.peak.kibibytes() ?? 0,
        ])
    }
}
