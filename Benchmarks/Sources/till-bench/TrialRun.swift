import Foundation
import Gauges
import Glibc

/// A daemon that a trial measures, from its start to its end.
struct TrialRun {
    /// The time that a process is idle before its memory is read, in seconds.
    private static let rest = 1.0
    /// The time for a client to start before the daemon is started, in seconds.
    private static let clientStart = 0.5
    private static let readyTries = 3000
    private static let readyPause = 0.01

    /// The times of the first answers of a daemon.
    struct FirstCall {
        /// The seconds from the daemon's start until it answered, and until it had stored a payment.
        let answered: Double
        let added: Double
    }

    let run: Run
    private let tilld: Tilld
    let socket: String

    /// - Parameter shape: The size of the load, if payments are added.
    init(_ workspace: Workspace, _ tilld: Tilld, _ shape: Shape = Shape(1, 1)) throws {
        run = try Run(workspace, .adds, shape)
        self.tilld = tilld
        socket = run.socket("till.sock")
    }

    /// A state directory that no other run uses.
    var emptyState: URL {
        run.state.appendingPathComponent("till")
    }

    /// Starts the daemon, and returns once it answers.
    func serve(_ state: URL, holdsCharges: Bool = false, _ more: [String] = []) throws -> Process {
        let daemon = try run.serve(tilld.command(state: state, socket: socket, holdsCharges: holdsCharges, more))
        try client("first-call")
        return daemon
    }

    /// Starts the daemon while a client waits for it and measures the times.
    func serveTimed(_ state: URL) throws -> (Process, FirstCall) {
        let client = try run.workspace.processes.begin(command("first-call", ["--adds"]))
        Thread.sleep(forTimeInterval: Self.clientStart)
        let start = Clock.now()
        let daemon = try run.serve(tilld.command(state: state, socket: socket))
        let times = try decode(try client())
        guard let answered = times["answered"], let added = times["added"] else {
            throw BenchError("The client of the first call printed no times.")
        }
        return (daemon, FirstCall(answered: answered - start, added: added - start))
    }

    /// Runs a client, and returns the numbers that it prints, if any.
    @discardableResult
    func client(_ name: String, _ options: [String] = []) throws -> [String: Double] {
        try decode(try run.workspace.processes.output(of: command(name, options)))
    }

    /// Adds payments with as many connections as the load has, and returns how many were stored in a second.
    func addsPerSecond() throws -> Double {
        let output = try run.workspace.processes.output(of: try run.load("till-add", at: socket))
        return try LoadReport(output).operationsPerSecond
    }

    /// Starts a client that stays connected, and returns once it has connected.
    func stay(_ connections: Int, _ options: [String] = []) throws -> Process {
        try keep("stay", ["--connections", "\(connections)"] + options)
    }

    /// Starts a client that runs until it is stopped, and returns once it is ready.
    func keep(_ name: String, _ options: [String] = []) throws -> Process {
        let ready = run.state.appendingPathComponent("ready.\(UUID().uuidString)")
        let process = try run.serve(command(name, options + ["--ready", ready.path]))
        for _ in 0..<Self.readyTries where !FileManager.default.fileExists(atPath: ready.path) {
            guard process.isRunning else {
                throw BenchError("A client has ended. \(run.lastLine ?? "")")
            }
            Thread.sleep(forTimeInterval: Self.readyPause)
        }
        return process
    }

    /// The resident memory of an idle process, in KiB.
    func memory(of process: Process) throws -> Double {
        Thread.sleep(forTimeInterval: Self.rest)
        return try Self.kibibytes(.now, process)
    }

    static func kibibytes(_ memory: ProcessMemory, _ process: Process) throws -> Double {
        guard let kibibytes = memory.kibibytes(of: process.processIdentifier) else {
            throw BenchError("The measured process has ended.")
        }
        return kibibytes
    }

    /// Kills the daemon, as a loss of power would.
    func kill(_ daemon: Process) {
        _ = Glibc.kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    func end() {
        run.end()
    }

    private func command(_ name: String, _ options: [String]) throws -> Command {
        Command(try run.path(of: SwiftClientPeer.client.name), [name, "--address", socket] + options)
    }

    private func decode(_ output: Data) throws -> [String: Double] {
        try output.isEmpty ? [:] : JSONDecoder().decode([String: Double].self, from: output)
    }
}
