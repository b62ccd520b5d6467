import Foundation

/// A PostgreSQL server of this process's own, from Debian's package. It ends with the process.
package final class PostgresCluster: Sendable {
    /// Whether Debian's package `postgresql-15`, or a later one, is installed.
    package static let isInstalled = !installations.isEmpty
    /// The one server of this process, started when it is first asked for.
    package static let shared = Result { try PostgresCluster() }

    /// A connection URI.
    package let address: String
    /// The file of the server's messages, which has little unless `log_min_messages` is set.
    package let log: String
    private let process = Process()
    /// The server ends when this is closed.
    private let input = Pipe()

    private static var installations: [String] {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.filter { FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/initdb") }
    }

    /// - Parameter settings: Settings of the server, such as `fsync=off`.
    package init(settings: [String] = []) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "till-postgres-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        address = "postgresql:///postgres?host=\(directory.path)&user=postgres"
        log = directory.appending(path: "server.log").path
        let output = Pipe()
        process.executableURL = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../PostgresCluster/run")
        process.arguments = [directory.path] + settings
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let answer = output.fileHandleForReading.availableData
        guard answer.starts(with: Data("ready".utf8)) else {
            throw CocoaError(.executableLoad)
        }
    }

    /// Ends the server as a crash would, without waiting for it.
    package func stop() throws {
        try input.fileHandleForWriting.close()
    }
}
