import Foundation

/// One run of one peer under one load.
struct Run {
    let workspace: Workspace
    let scenario: Scenario
    let shape: Shape
    /// An empty directory for the peer's state, which is removed after the run.
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

    /// The last line that the server has printed.
    var lastLine: String? {
        (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").last.map { "The server printed: \($0)" }
    }

    /// Waits until a server has printed a line that begins so, and returns its rest.
    func printed(after beginning: String) throws -> String {
        try wait(for: "A server") {
            let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
            return lines.first { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
        }
    }

    /// Asks until there is an answer, for as long as a server may take to start.
    func wait<Answer>(for server: String, _ ask: () throws -> Answer?) throws -> Answer {
        for _ in 0..<Self.tries {
            if let answer = try ask() {
                return answer
            }
            Thread.sleep(forTimeInterval: Self.pause)
        }
        throw BenchError("\(server) did not start.")
    }

    private static let tries = 1000
    private static let pause = 0.01

    /// Starts a server. Its output is kept until the end of the run.
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

    /// Adds the slow-flush library to the command if requested.
    func flushed(_ command: Command) -> Command {
        var command = command
        if let milliseconds = workspace.slowFlush {
            command.environment["SLOW_FLUSH_MILLISECONDS"] = "\(milliseconds)"
            command.environment["LD_PRELOAD"] = workspace.tools.folder.appendingPathComponent("libslow-flush.so").path
        }
        return command
    }

    /// The command of the load generator with the run's options.
    func load(_ name: String, at address: String, _ more: [String] = []) throws -> Command {
        Command(try path(of: "load"), ["--protocol", name] + loadOptions(at: address) + more)
    }

    /// The run's options for a client.
    func loadOptions(at address: String) -> [String] {
        [
            "--address", address, "--samples", samples.path,
            "--connections", "\(shape.connections)", "--in-flight", "\(shape.inFlight)",
            "--seconds", "\(workspace.seconds)", "--warm-up", "\(warmUp)",
        ]
    }

    /// The run's arguments for the peers' own clients.
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
