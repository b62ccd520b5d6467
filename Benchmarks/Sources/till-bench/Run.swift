import Foundation

/// One peer under one load, for once.
struct Run {
    let workspace: Workspace
    let scenario: Scenario
    let shape: Shape
    /// Empty, and removed after the run.
    let state: URL
    let sockets: URL

    init(_ workspace: Workspace, _ scenario: Scenario, _ shape: Shape) throws {
        self.workspace = workspace
        self.scenario = scenario
        self.shape = shape
        state = try workspace.makeFolder("run", in: workspace.states)
        sockets = try workspace.makeFolder("run", in: workspace.sockets)
    }

    var samples: URL {
        state.appendingPathComponent("samples")
    }

    func path(of program: String) throws -> String {
        try workspace.tools.required(program)
    }

    func socket(_ name: String) -> String {
        sockets.appendingPathComponent(name).path
    }

    private var log: URL {
        state.appendingPathComponent("log")
    }

    /// The last that the server has printed.
    var lastLine: String? {
        (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").last.map { "It said: \($0)" }
    }

    /// Starts a server; what it prints is kept as long as the run.
    @discardableResult
    func serve(_ command: Command) throws -> Process {
        let manager = FileManager.default
        guard manager.fileExists(atPath: log.path) || manager.createFile(atPath: log.path, contents: nil) else {
            throw BenchError("\(log.path) cannot be written.")
        }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        return try workspace.processes.start(flushed(command), log: handle)
    }

    /// The command, with flushes as slow as asked for.
    func flushed(_ command: Command) -> Command {
        var command = command
        if workspace.slowFlush {
            command.environment["LD_PRELOAD"] = workspace.tools.folder.appendingPathComponent("libslow-flush.so").path
        }
        return command
    }

    /// The load generator, with what the run asks of it.
    func load(_ name: String, at address: String, _ more: [String] = []) throws -> Command {
        Command(try path(of: "load"), ["--protocol", name] + loadOptions(at: address) + more)
    }

    /// What the run asks of a client.
    func loadOptions(at address: String) -> [String] {
        [
            "--address", address, "--samples", samples.path,
            "--connections", "\(shape.connections)", "--in-flight", "\(shape.inFlight)",
            "--seconds", "\(workspace.seconds)", "--warm-up", "\(warmUp)",
        ]
    }

    /// What the clients take that peers bring along.
    func loadArguments(_ socket: String) -> [String] {
        let numbers = ["\(shape.connections)", "\(shape.inFlight)", "\(warmUp)", "\(workspace.seconds)"]
        return ["load", socket, samples.path] + numbers
    }

    private var warmUp: Double {
        max(0.1, workspace.seconds / 5)
    }

    func end() {
        workspace.processes.stopAll()
        try? FileManager.default.removeItem(at: state)
        try? FileManager.default.removeItem(at: sockets)
    }
}
