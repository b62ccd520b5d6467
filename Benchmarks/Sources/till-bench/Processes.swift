import Foundation
import Glibc
import Synchronization

/// The running processes that the benchmark started, so that no process outlives the benchmark.
final class Processes: Sendable {
    private static let patience = 5.0
    private static let look = 0.002

    private let running = Mutex<[Process]>([])
    private let tools: Tools

    init(tools: Tools) {
        self.tools = tools
    }

    /// Starts a program that runs until it is stopped, or until the benchmark ends.
    ///
    /// - Parameter log: The file for the program's output.
    @discardableResult
    func start(_ command: Command, log: FileHandle) throws -> Process {
        try launch(command, output: log, errors: log)
    }

    /// Runs a program to its end, and returns its output.
    func output(of command: Command) throws -> Data {
        try begin(command)()
    }

    /// Starts a program, and returns a function that waits for its end and returns its output.
    func begin(_ command: Command) throws -> () throws -> Data {
        let pipe = Pipe()
        let process = try launch(command, output: pipe, errors: FileHandle.standardError)
        return {
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            self.forget(process)
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw BenchError("\(command.program) failed with status \(process.terminationStatus).")
            }
            return data
        }
    }

    /// Returns whether a program succeeds; its output is discarded.
    func succeeds(_ command: Command) throws -> Bool {
        let process = try launch(command, output: FileHandle.nullDevice, errors: FileHandle.nullDevice)
        process.waitUntilExit()
        forget(process)
        return process.terminationStatus == 0
    }

    /// Ends all started processes: asks them first, and kills those that take too long.
    func stopAll() {
        let processes = running.withLock { running in
            defer { running = [] }
            return running
        }
        processes.forEach { kill($0.processIdentifier, ifRunning: $0, SIGINT) }
        let deadline = Date() + Self.patience
        while processes.contains(where: \.isRunning), Date() < deadline {
            Thread.sleep(forTimeInterval: Self.look)
        }
        processes.forEach { kill($0.processIdentifier, ifRunning: $0, SIGKILL) }
        processes.forEach { $0.waitUntilExit() }
    }

    private func kill(_ id: pid_t, ifRunning process: Process, _ signal: CInt) {
        if process.isRunning {
            _ = Glibc.kill(id, signal)
        }
    }

    private func forget(_ process: Process) {
        running.withLock { $0.removeAll { $0 === process } }
    }

    /// `setpriv` has the kernel kill the program if this one is killed, and drops root's rights.
    private func launch(_ command: Command, output: Any, errors: Any) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try tools.required("setpriv"))
        var arguments = ["--pdeathsig", "KILL"]
        if let user = command.user, geteuid() == 0 {
            arguments += ["--reuid", user, "--regid", user, "--init-groups"]
        }
        process.arguments = arguments + [command.program] + command.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(command.environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        running.withLock { $0.append(process) }
        return process
    }
}
