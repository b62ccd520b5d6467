import Foundation
import Gauges

/// Measures the restore of all purchases of an account.
struct RestoreTrial: Trial {
    private static let kibibytesPerMebibyte = 1024.0

    let tilld: Tilld
    let purchases: Int
    let name = "restore"

    var title: String {
        "\(purchases) purchases, to a client of TillClient"
    }

    var programs: [Program] {
        tilld.programs + FilledLedger.programs
    }

    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        let tilld = try tilld.withoutContent(in: workspace)
        let kind = FilledLedger.Kind(product: FilledLedger.Kind.nonConsumable, end: .finished, count: purchases)
        let ledger = try FilledLedger("restore", [kind], workspace, tilld)
        defer { try? FileManager.default.removeItem(at: ledger.state) }
        var delivered = Quantity("delivered", "purchases/s")
        var daemonBefore = Quantity("the daemon's peak memory before", "MiB")
        var daemonAfter = Quantity("the daemon's peak memory after", "MiB")
        var clientBefore = Quantity("the client's peak memory before", "MiB")
        var clientAfter = Quantity("the client's peak memory after", "MiB")
        for _ in 0..<repetitions {
            let trial = try TrialRun(workspace, tilld)
            defer { trial.end() }
            try FileManager.default.copyItem(at: ledger.state, to: trial.emptyState)
            let daemon = try trial.serve(trial.emptyState)
            daemonBefore.note(try TrialRun.kibibytes(.peak, daemon) / Self.kibibytesPerMebibyte)
            let report = try trial.client("restore")
            guard let count = report["operations"], Int(count) == purchases, let seconds = report["seconds"] else {
                throw BenchError("\(report["operations"] ?? 0) of \(purchases) purchases were restored.")
            }
            delivered.note(count / seconds)
            daemonAfter.note(try TrialRun.kibibytes(.peak, daemon) / Self.kibibytesPerMebibyte)
            clientBefore.note((report["kibibytesBefore"] ?? 0) / Self.kibibytesPerMebibyte)
            clientAfter.note((report["kibibytesAfter"] ?? 0) / Self.kibibytesPerMebibyte)
        }
        return [delivered, daemonBefore, daemonAfter, clientBefore, clientAfter]
    }
}
