import Foundation

/// A PostgreSQL server of this process's own, from Debian's package. It ends with the process.
package final class PostgresCluster: Sendable {
    /// Whether Debian's package `postgresql-15`, or a later one, is installed.
    package static let isInstalled = !installations.isEmpty
    /// The one server of this process, started when it is first asked for.
    package static let shared = Result { try PostgresCluster() }

    /// Where the server's socket is.
    private let directory: String
    /// The server's address in a network, if it is in one.
    private let networkAddress: String?
    private let script: CommandedScript

    private static var installations: [String] {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.filter { FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/initdb") }
    }

    /// - Parameters:
    ///   - settings: Settings of the server, such as `fsync=off`.
    ///   - primary: The server whose standby this one is, if it is one.
    ///   - network: The network in which the server has the address of the database.
    ///   - directory: A new directory for the server and its socket.
    package init(
        settings: [String] = [],
        standbyOf primary: PostgresCluster? = nil,
        network: TestNetwork? = nil,
        in directory: String = PostgresCluster.newDirectory()
    ) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        self.directory = directory
        networkAddress = network.map { _ in TestNetwork.databaseAddress }
        script = try CommandedScript(
            "run",
            [directory] + (primary.map { ["--standby-of", $0.directory] } ?? [])
                + (networkAddress.map { ["--address", $0] } ?? []) + settings,
            wrapper: network?.wrapper(for: TestNetwork.database) ?? []
        )
    }

    /// The connection URI of the superuser.
    package var address: String {
        address(of: "postgres")
    }

    /// The connection URI of the superuser on the server's machine, whatever network the server is in.
    package var localAddress: String {
        Self.address(in: directory)
    }

    /// The connection URI of a role, which needs no password.
    package func address(of role: String) -> String {
        guard let networkAddress else {
            return Self.address(of: role, in: directory)
        }
        return "postgresql://\(role)@\(networkAddress)/postgres?sslmode=verify-full&sslrootcert=\(directory)/server.crt"
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
        try script.command("crash")
    }

    /// Starts a server that has crashed.
    package func start() throws {
        try script.command("start")
    }

    /// Lets a standby take the place of its primary.
    package func promote() throws {
        try script.command("promote")
    }

    /// Makes a server that has crashed the standby of another one.
    package func follow(_ primary: PostgresCluster) throws {
        try script.command("follow \(primary.directory)")
    }

    /// Ends the server for good, as a crash would, without waiting for it.
    package func stop() throws {
        try script.end()
    }
}
