import Foundation

/// A recording of daemons and their clients, stored in a directory.
package struct Recording: Sendable {
    private static let descriptionName = "recording.json"

    private struct Description: Codable {
        var root: String
        var lives: Int
        var seed: UInt64
    }

    package let directory: String
    /// The path that the state directory had.
    package let root: String
    package let lives: Int
    package let seed: UInt64

    init(directory: String, root: String, lives: Int, seed: UInt64) throws {
        self.directory = directory
        self.root = root
        self.lives = lives
        self.seed = seed
        let description = Description(root: root, lives: lives, seed: seed)
        try JSONEncoder().encode(description).write(to: URL(filePath: "\(directory)/\(Self.descriptionName)"))
    }

    /// Opens a stored recording.
    package init(directory: String) throws {
        let data = try Data(contentsOf: URL(filePath: "\(directory)/\(Self.descriptionName)"))
        let description = try JSONDecoder().decode(Description.self, from: data)
        self.directory = directory
        root = description.root
        lives = description.lives
        seed = description.seed
    }

    static func tracePath(_ life: Int, in directory: String) -> String {
        "\(directory)/life-\(life).trace"
    }

    /// Computes the operations of the daemons from their traces.
    package func log() throws -> OperationLog {
        let lives = try (0..<lives).map { life in
            let trace = try Data(contentsOf: URL(filePath: Self.tracePath(life, in: directory)))
            let (calls, end) = try SystemCall.calls(ofTrace: trace)
            let left = Self.filesPath(life, in: directory)
            return OperationLog.Life(calls: calls, end: end) { Self.item(at: "\(left)/\($0)") }
        }
        let log = try OperationLog(lives: lives, root: root)
        try requireSameFiles(log)
        return log
    }

    /// The path of the copy of the state directory that a daemon's life left.
    static func filesPath(_ life: Int, in directory: String) -> String {
        "\(directory)/life-\(life).files"
    }

    /// Proves that the log is complete: it reproduces the files that each daemon left.
    private func requireSameFiles(_ log: OperationLog) throws {
        var walk = DiskWalk(log)
        for (life, end) in log.lives.enumerated() {
            walk.advance(to: end)
            for (path, item) in walk.state(Variant(.written, .strict)).items {
                guard Self.item(at: "\(Self.filesPath(life, in: directory))/\(path)") == item else {
                    throw TraceError("\(path), which daemon \(life) left, differs from its content by the trace.")
                }
            }
        }
    }

    private static func item(at path: String) -> DiskState.Item? {
        var isDirectory: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            return nil
        }
        return isDirectory.boolValue
            ? .directory : FileManager.default.contents(atPath: path).map { .file([UInt8]($0)) }
    }
}
