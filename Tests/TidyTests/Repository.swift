import Foundation
import Testing

/// The repository that this test was built from.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The text files in the repository, including those that the next commit would add.
    static func files() throws -> [SourceFile] {
        try read.get()
    }

    private static let read = Result { try readFiles() }

    private static func readFiles() throws -> [SourceFile] {
        try git("ls-files", "--cached", "--others", "--exclude-standard").compactMap { path in
            // A deleted file is listed until the deletion is committed. It has no text.
            (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map {
                SourceFile(path: path, text: $0)
            }
        }
    }

    /// The paths that git prints for a command.
    static func git(_ arguments: String...) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-c", "safe.directory=*", "-C", root.path] + arguments + ["-z"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "git \(arguments) failed")
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
