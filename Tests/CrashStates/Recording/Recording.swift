import Foundation

/// What was recorded of daemons and their clients, in a directory.
package struct Recording: Sendable {
    private static let descriptionName = "recording.json"

    private struct Description: Codable {
        var root: String
        var lives: Int
        var seed: UInt64
    }

    package let directory: String
    /// Where the state directory was.
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

    /// Opens a recording that was kept.
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

    /// What the daemons did.
    package func log() throws -> OperationLog {
        let lives = try (0..<lives).map { life in
            try SystemCall.calls(ofTrace: Data(contentsOf: URL(filePath: Self.tracePath(life, in: directory))))
        }
        return try OperationLog(lives: lives, root: root)
    }
}
