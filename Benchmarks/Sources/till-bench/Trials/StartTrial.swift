import Foundation

/// Measures the time from a daemon's start to its first answers.
struct StartTrial: Trial {
    private static let millisecondsPerSecond = 1000.0

    let tilld: Tilld
    /// The number of unfinished transactions.
    let open: Int
    let name = "start"

    var title: String {
        "from exec to the first answer and the first stored payment"
    }

    var programs: [Program] {
        tilld.programs + FilledLedger.programs
    }

    func measure(_ workspace: Workspace, repetitions: Int) throws -> [Quantity] {
        let product = FilledLedger.Kind.consumable
        let empty = try FilledLedger("empty", [], workspace, tilld)
        let purchased = FilledLedger.Kind(product: product, end: .purchased, count: open)
        let waiting = FilledLedger.Kind(product: product, end: .added, count: open)
        let ledgers = [
            ("an empty ledger", empty),
            ("\(open) purchased", try FilledLedger("purchased", [purchased], workspace, tilld)),
            ("\(open) waiting for approval", try FilledLedger("waiting", [waiting], workspace, tilld)),
        ]
        defer { ledgers.forEach { try? FileManager.default.removeItem(at: $1.state) } }
        return try ledgers.flatMap { name, ledger in
            try quantities(name, ledger, workspace, repetitions)
        }
    }

    private func quantities(
        _ name: String,
        _ ledger: FilledLedger,
        _ workspace: Workspace,
        _ repetitions: Int
    ) throws -> [Quantity] {
        var quantities = [
            Quantity("\(name): answer", "ms"), Quantity("\(name): payment", "ms"),
            Quantity("\(name), after a kill: answer", "ms"), Quantity("\(name), after a kill: payment", "ms"),
        ]
        for _ in 0..<repetitions {
            let trial = try TrialRun(workspace, tilld)
            defer { trial.end() }
            let (daemon, stopped) = try trial.serveTimed(ledger.state)
            trial.kill(daemon)
            let (_, killed) = try trial.serveTimed(ledger.state)
            let times = [stopped.answered, stopped.added, killed.answered, killed.added]
            for (index, time) in times.enumerated() {
                quantities[index].note(time * Self.millisecondsPerSecond)
            }
        }
        return quantities
    }
}
