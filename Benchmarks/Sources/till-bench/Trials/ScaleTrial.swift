import Foundation

/// Measures whether finished transactions in the ledger slow the daemon down.
struct ScaleTrial: Trial {
    private static let adds = Shape(64, 1)
    private static let millisecondsPerSecond = 1000.0

    let tilld: Tilld
    let finished: Int
    let purchases: Int
    let name = "scale"

    var title: String {
        "an empty ledger, and one of \(finished) finished transactions and \(purchases) purchases"
    }

    var programs: [Program] {
        tilld.programs + FilledLedger.programs + [.load]
    }

    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        let empty = try FilledLedger("empty", [], workspace, tilld)
        let kinds = [
            FilledLedger.Kind(product: FilledLedger.Kind.consumable, end: .finished, count: finished),
            FilledLedger.Kind(product: FilledLedger.Kind.nonConsumable, end: .finished, count: purchases),
        ]
        let full = try FilledLedger("full", kinds, workspace, tilld)
        let ledgers = [("empty", empty), ("full", full)]
        defer { ledgers.forEach { try? FileManager.default.removeItem(at: $1.state) } }
        let size = (try full.bytes - empty.bytes) / Double(max(1, finished + purchases))
        // Added payments stay open, and would be part of the initial delivery.
        let attaches = try quantities("observing until all was delivered", "ms", ledgers, repetitions) { ledger in
            try attachTime(ledger, workspace)
        }
        let adds = try quantities("adds, \(Self.adds.title(of: .adds))", "/s", ledgers, repetitions) { ledger in
            try addsPerSecond(ledger, workspace)
        }
        return adds + attaches + [Quantity("a transaction's share of the file", "bytes", [size])]
    }

    /// Measures the ledgers in turns.
    private func quantities(
        _ name: String,
        _ unit: String,
        _ ledgers: [(String, FilledLedger)],
        _ repetitions: Int,
        _ measure: (FilledLedger) throws -> Double
    ) rethrows -> [Quantity] {
        var quantities = ledgers.map { Quantity("\(name): \($0.0)", unit) }
        for _ in 0..<repetitions {
            for index in ledgers.indices {
                quantities[index].note(try measure(ledgers[index].1))
            }
        }
        return quantities
    }

    private func attachTime(_ ledger: FilledLedger, _ workspace: Workspace) throws -> Double {
        let trial = try TrialRun(workspace, tilld)
        defer { trial.end() }
        _ = try trial.serve(ledger.state)
        return (try trial.client("attach")["median"] ?? 0) * Self.millisecondsPerSecond
    }

    private func addsPerSecond(_ ledger: FilledLedger, _ workspace: Workspace) throws -> Double {
        let trial = try TrialRun(workspace, tilld, Self.adds)
        defer { trial.end() }
        try trial.run.serve(tilld.command(state: ledger.state, socket: trial.socket, holdsCharges: true))
        return try trial.addsPerSecond()
    }
}
