import Foundation
import Glibc
import NIOCore
import NIOPosix

/// A program that a test has started, and that only the test ends.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Exit: Hashable {
        case status(Int32)
        case signal(Int32)
    }

    package let name: String
    package let processID: Int32
    private let process = Process()
    private let input = Pipe()
    private let gate = ExitGate()

    /// Starts the program. Its standard input stays open until ``closeInput()``.
    ///
    /// - Parameters:
    ///   - log: The file to which its output is appended.
    ///   - errors: The file to which its standard error is appended, if that is another file.
    ///   - environment: Variables in addition to this process's own, which exclude those that configure Till.
    package init(
        _ name: String,
        _ executable: String,
        _ arguments: [String],
        log: String,
        errors: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        self.name = name
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.environment = Self.inherited.merging(environment) { $1 }
        process.standardInput = input
        let output = try Self.open(log)
        let errors = try errors.map(Self.open)
        process.standardOutput = output
        process.standardError = errors ?? output
        process.terminationHandler = { [gate, input] process in
            try? input.fileHandleForWriting.close()
            let status = process.terminationStatus
            gate.open(process.terminationReason == .exit ? .status(status) : .signal(status))
        }
        try process.run()
        // Foundation keeps an ended process for a long time, with all its descriptors.
        try output.close()
        try errors?.close()
        processID = process.processIdentifier
    }

    package var isRunning: Bool {
        gate.exit == nil
    }

    package func signal(_ number: Int32) {
        if isRunning {
            kill(processID, number)
        }
    }

    /// Kills the process, and returns how it ended. It may have ended by itself before.
    @discardableResult
    package func killNow() async -> Exit {
        signal(SIGKILL)
        return await gate.wait()
    }

    /// Waits for the end of the process, and kills it after `limit`.
    package func exit(within limit: Duration = .seconds(60)) async -> Exit {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let alarm = eventLoop.scheduleTask(in: TimeAmount(limit)) { self.signal(SIGKILL) }
        defer { alarm.cancel() }
        return await gate.wait()
    }

    package func closeInput() {
        try? input.fileHandleForWriting.close()
    }

    /// The variables of this process without Till's, except that of a planted fault, which is for the programs under
    /// test.
    private static var inherited: [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TILL_") || $0.key == "TILL_MUTANT" }
    }

    private static func open(_ log: String) throws -> FileHandle {
        if !FileManager.default.fileExists(atPath: log) {
            try Data().write(to: URL(filePath: log))
        }
        let file = try FileHandle(forWritingTo: URL(filePath: log))
        try file.seekToEnd()
        return file
    }
}
