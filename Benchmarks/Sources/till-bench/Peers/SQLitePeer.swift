import Foundation

/// The rows of an add, written by SQLite alone into a ledger that the daemon has made.
struct SQLitePeer: Peer {
    private static let tries = 1000
    private static let pause = 0.01

    let tilld: Tilld
    let name = "sqlite"
    let scenarios: Set<Scenario> = [.rows, .lives]

    var programs: [Program] {
        [Program("floor", remedy: "swift build --package-path Benchmarks -c release")] + tilld.programs
    }

    func refusal(of shape: Shape, in scenario: Scenario) -> String? {
        scenario == .lives && shape != Shape(1, 1) ? "has one writer, so its commits are sequential" : nil
    }

    private func ledger(_ workspace: Workspace) -> URL {
        workspace.states.appendingPathComponent("ledger.sqlite")
    }

    /// Has the daemon create an empty ledger.
    func prepare(_ workspace: Workspace) throws {
        guard !FileManager.default.fileExists(atPath: ledger(workspace).path) else {
            return
        }
        let state = workspace.states.appendingPathComponent("made")
        let socket = workspace.sockets.appendingPathComponent("made.sock").path
        try workspace.processes.start(tilld.command(state: state, socket: socket), log: .nullDevice)
        for _ in 0..<Self.tries where !FileManager.default.fileExists(atPath: socket) {
            Thread.sleep(forTimeInterval: Self.pause)
        }
        workspace.processes.stopAll()
        let made = state.appendingPathComponent("ledger.sqlite")
        try FileManager.default.copyItem(at: made, to: ledger(workspace))
    }

    func promise(in scenario: Scenario) -> String {
        "each transaction is flushed to the log on disk (WAL, synchronous=FULL); no server, one writer"
    }

    func start(_ run: Run) throws -> Command {
        let copy = run.state.appendingPathComponent("ledger.sqlite")
        try FileManager.default.copyItem(at: ledger(run.workspace), to: copy)
        let arguments = ["rows", copy.path, run.samples.path, "\(run.shape.inFlight)", "\(run.workspace.seconds)"]
        return run.flushed(Command(try run.path(of: "floor"), arguments))
    }
}
