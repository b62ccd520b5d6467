import Foundation
package import ProcessTesting

/// Runs strace, which records system calls of a daemon or makes them fail.
package struct Tracer: Sendable {
    package static let program = "/usr/bin/strace"
    /// The time limit for attaching to a process.
    private static let attachLimit = Duration.seconds(20)

    private let calls: [String]
    /// The injected fault, for example `error=EIO:when=1+`.
    private let fault: String?

    package init(calls: [String], fault: String? = nil) {
        self.calls = calls
        self.fault = fault
    }

    /// The options of strace. The log gets the calls with the paths of descriptors, and the ends of threads, each with
    /// its time.
    private func options(log: String) -> [String] {
        let calls = calls.joined(separator: ",")
        let injection = fault.map { ["-e", "inject=\(calls):\($0)"] } ?? []
        return ["-f", "-q", "-y", "-ttt", "-s", "0", "-o", log, "-e", "trace=\(calls)", "-e", "signal=none"] + injection
    }

    /// The arguments before the program to run. The program stays a child of the process that starts it.
    ///
    /// - Parameter paths: The files whose calls are traced; empty for all files.
    package func command(log: String, paths: [String] = []) -> [String] {
        [Self.program, "-D"] + filter + options(log: log) + paths.flatMap { ["-P", $0] }
    }

    /// The option that lets the other calls pass without a stop. A fault that is a signal needs those stops: Linux
    /// ignores a signal that strace injects at the stop of a filter, and the call succeeds.
    private var filter: [String] {
        fault?.contains("signal=") == true ? [] : ["--seccomp-bpf"]
    }

    /// Attaches to a running process until the process ends.
    @discardableResult
    package func attach(to process: ChildProcess, at site: Site, log: String) async throws -> ChildProcess {
        let arguments = options(log: log) + ["-p", "\(process.processID)"]
        let tracer = try site.start("strace", Self.program, arguments, log: "programs.log")
        let deadline = ContinuousClock.now + Self.attachLimit
        while process.isRunning, !Self.isTraced(process) {
            guard tracer.isRunning, .now < deadline else {
                throw HarnessFailure("strace cannot attach to \(process.name)")
            }
            await Alarm.after(.milliseconds(2))
        }
        return tracer
    }

    private static func isTraced(_ process: ChildProcess) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process.processID)/status", encoding: .utf8)
        return status?.contains(/TracerPid:\s+[1-9]/) ?? false
    }
}
