package import Foundation
import Synchronization
import TTRPC
import TillWire

/// A directory with all files that a daemon and its applications need.
package struct Site {
    package let directory: String
    private static let daemonLogName = "tilld.log"
    private let children = Children()
    private let fate = Fate()

    /// Whether the directory is kept at the end.
    private final class Fate: Sendable {
        let isKept = Atomic(false)
    }

    package var state: String { "\(directory)/state" }
    package var socket: String { "\(directory)/till.sock" }
    package var catalogue: String { "\(directory)/store.storekit" }
    package var ledger: String { "\(state)/ledger.sqlite" }

    /// Makes a site for `body`, and removes it unless `body` throws or keeps it. No process of the site outlives it.
    ///
    /// - Parameter parent: The parent directory; nil for that of temporary files.
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
                print("Kept for inspection: \(directory)")
            } else {
                try FileManager.default.removeItem(atPath: directory)
            }
            return value
        } catch {
            await site.children.killAll()
            print("Kept for inspection: \(directory)")
            throw error
        }
    }

    /// Keeps the directory for inspection, because something in it is wrong.
    package func keep() {
        fate.isKept.store(true, ordering: .relaxed)
    }

    private init(directory: String) {
        self.directory = directory
    }

    /// Starts a program, which ends with the site at the latest.
    ///
    /// - Parameters:
    ///   - log: The file in the site to which its output is appended.
    ///   - errors: The file for its standard error, if that is another file.
    ///   - environment: Variables in addition to this process's own.
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

    /// The path of a file in the site.
    package func path(_ name: String) -> String {
        "\(directory)/\(name)"
    }

    /// Starts a daemon, which may not serve yet on return.
    ///
    /// - Parameter wrapper: A program and its arguments that replace themselves with the daemon, in the same process.
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

    /// Starts a daemon, and waits until it answers.
    package func startServingDaemon(
        _ options: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        let daemon = try startDaemon(options, environment: environment)
        try await waitUntilServing()
        return daemon
    }

    /// Waits for the answer to a call. The daemon answers only once it also handles signals.
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

    /// Makes one call on a new connection. The daemon closes silent connections, as a test's may be while it waits for
    /// a processor.
    private func callHealth(at socket: String) async throws(RPCError) {
        let client = try await TTRPCClient.connect(path: socket)
        defer { client.close() }
        _ = try await client.unary(HealthMethod.service, HealthMethod.check.rawValue, HealthCheckRequest().wireBytes())
    }

    /// The output of the daemons so far.
    package func log() throws -> String {
        try String(contentsOfFile: "\(directory)/\(Self.daemonLogName)", encoding: .utf8)
    }

    /// Waits until a daemon has logged a text.
    package func waitUntilLogged(_ text: String) async throws {
        while try !log().contains(text) {
            await Alarm.after(.milliseconds(10))
        }
    }

    /// The account of this process.
    package static var account: String {
        "uid:\(geteuid())"
    }
}
