import Foundation

/// A PostgreSQL server of this process's own, from Debian's package. It ends with the process.
package final class PostgresCluster: Sendable {
    /// Whether Debian's package `postgresql-15`, or a later one, is installed.
    package static let isInstalled = !installations.isEmpty
    /// The one server of this process, started when it is first asked for.
    package static let shared = Result { try PostgresCluster() }

    /// Where the server's socket is.
    private let directory: String
    private let process = Process()
    /// The server ends when this is closed.
    private let input = Pipe()
    private let output = Pipe()

    private static var installations: [String] {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.filter { FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/initdb") }
    }

    /// - Parameters:
    ///   - settings: Settings of the server, such as `fsync=off`.
    ///   - primary: The server whose standby this one is, if it is one.
    ///   - directory: A new directory for the server and its socket.
    package init(
        settings: [String] = [],
        standbyOf primary: PostgresCluster? = nil,
        in directory: String = PostgresCluster.newDirectory()
    ) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        self.directory = directory
        process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../PostgresCluster/run")
        process.arguments = [directory] + (primary.map { ["--standby-of", $0.directory] } ?? []) + settings
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try waitUntilReady()
    }

    /// The connection URI of the superuser.
    package var address: String {
        address(of: "postgres")
    }

    /// The connection URI of a role, which needs no password.
    package func address(of role: String) -> String {
        Self.address(of: role, in: directory)
    }

    /// The connection URI of a role of the server in a directory, which may start later.
    package static func address(of role: String = "postgres", in directory: String) -> String {
        "postgresql:///postgres?host=\(directory)&user=\(role)"
    }

    /// The connection URI of the superuser of any of the servers.
    package static func address(of clusters: [PostgresCluster]) -> String {
        address(in: clusters.map(\.directory).joined(separator: ","))
    }

    /// The path of a directory that does not exist yet.
    package static func newDirectory() -> String {
        FileManager.default.temporaryDirectory.appending(path: "till-postgres-\(UUID().uuidString)").path
    }

    /// The file of the server's messages, which has little unless `log_min_messages` is set.
    package var log: String {
        "\(directory)/server.log"
    }

    /// Ends the server as a crash would; it can be started again.
    package func crash() throws {
        try command("crash")
    }

    /// Starts a server that has crashed.
    package func start() throws {
        try command("start")
    }

    /// Lets a standby take the place of its primary.
    package func promote() throws {
        try command("promote")
    }

    /// Makes a server that has crashed the standby of another one.
    package func follow(_ primary: PostgresCluster) throws {
        try command("follow \(primary.directory)")
    }

    /// Ends the server for good, as a crash would, without waiting for it.
    package func stop() throws {
        try input.fileHandleForWriting.close()
    }

    private func command(_ name: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(name)\n".utf8))
        try waitUntilReady()
    }

    private func waitUntilReady() throws {
        guard output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)) else {
            throw CocoaError(.executableLoad)
        }
    }
}
