package import Foundation
import Synchronization
import TTRPC
import TillWire

/// A directory of its own with everything that a daemon and its applications need.
package struct Site {
    package let directory: String
    private static let daemonLogName = "tilld.log"
    private let children = Children()
    private let fate = Fate()

    /// What becomes of the directory in the end.
    private final class Fate: Sendable {
        let isKept = Atomic(false)
    }

    package var state: String { "\(directory)/state" }
    package var socket: String { "\(directory)/till.sock" }
    package var catalogue: String { "\(directory)/store.storekit" }
    package var ledger: String { "\(state)/ledger.sqlite" }

    /// Makes a site for `body`, and removes it unless `body` throws or has it kept. No process that it started outlives it.
    ///
    /// - Parameter parent: The directory that it is made in; nil for that of temporary files.
    package static func with<Value>(
        catalogue: Data,
        in parent: String? = nil,
        _ body: (Site) async throws -> Value
    ) async throws -> Value {
        let parent = parent ?? FileManager.default.temporaryDirectory.path
        let directory = "\(parent)/till-process-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        let site = Site(directory: directory)
        try catalogue.write(to: URL(filePath: site.catalogue))
        do {
            let value = try await body(site)
            await site.children.killAll()
            if site.fate.isKept.load(ordering: .relaxed) {
                print("Kept for a look: \(directory)")
            } else {
                try FileManager.default.removeItem(atPath: directory)
            }
            return value
        } catch {
            await site.children.killAll()
            print("Kept for a look: \(directory)")
            throw error
        }
    }

    /// Has the directory stay for a look, because something in it is not as it must be.
    package func keep() {
        fate.isKept.store(true, ordering: .relaxed)
    }

    private init(directory: String) {
        self.directory = directory
    }

    /// Starts a program, which is ended with the site at the latest.
    ///
    /// - Parameters:
    ///   - log: The file in the site that its output is appended to.
    ///   - errors: That of its standard error, if it is another one.
    ///   - environment: What it is given besides this process's own.
    package func start(
        _ name: String,
        _ executable: String,
        _ arguments: [String],
        log: String,
        errors: String? = nil,
        environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let process = try ChildProcess(
            name,
            executable,
            arguments,
            log: path(log),
            errors: errors.map(path),
            environment: environment
        )
        children.add(process)
        return process
    }

    /// A file of the site.
    package func path(_ name: String) -> String {
        "\(directory)/\(name)"
    }

    /// Starts a daemon; it may not serve yet.
    ///
    /// - Parameter wrapper: A program and its arguments, which are to run the daemon as their own process.
    package func startDaemon(
        _ options: [String] = [],
        state: String? = nil,
        socket: String? = nil,
        environment: [String: String] = [:],
        wrapper: [String] = []
    ) throws -> ChildProcess {
        let command = wrapper + [Binaries.daemon] + daemonArguments(options, state: state, socket: socket)
        return try start(
            "tilld",
            command[0],
            Array(command.dropFirst()),
            log: Self.daemonLogName,
            environment: environment
        )
    }

    private func daemonArguments(_ options: [String], state: String? = nil, socket: String? = nil) -> [String] {
        ["--catalogue", catalogue, "--state", state ?? self.state, "--socket", socket ?? self.socket]
            + ["--requests-per-second", "0"] + options
    }

    /// Starts a daemon and waits until it answers.
    package func startServingDaemon(
        _ options: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        let daemon = try startDaemon(options, environment: environment)
        try await waitUntilServing()
        return daemon
    }

    /// Waits for the answer to a call, which comes only once the daemon minds signals too.
    package func waitUntilServing(at socket: String? = nil, within limit: Duration = .seconds(60)) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            do {
                return try await callHealth(at: socket ?? self.socket)
            } catch {
                guard ContinuousClock.now < deadline, !Task.isCancelled else {
                    throw error
                }
                await Alarm.after(.milliseconds(5))
            }
        }
    }

    /// A daemon closes a connection that says nothing for long, as that of a test which has to wait for a processor.
    private func callHealth(at socket: String) async throws(RPCError) {
        let client = try await TTRPCClient.connect(path: socket)
        defer { client.close() }
        _ = try await client.unary(HealthMethod.service, HealthMethod.check.rawValue, HealthCheckRequest().wireBytes())
    }

    /// What the daemons have written to their output so far.
    package func log() throws -> String {
        try String(contentsOfFile: "\(directory)/\(Self.daemonLogName)", encoding: .utf8)
    }

    /// Who pays when this process asks.
    package static var account: String {
        "uid:\(geteuid())"
    }
}
