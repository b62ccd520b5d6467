import Foundation

/// A script of the folder `PostgresCluster` that follows commands on its standard input, and prints `ready` once it has begun
/// and after each. It ends with this process.
final class CommandedScript: Sendable {
    private let process = Process()
    /// The script ends when this is closed.
    private let input = Pipe()
    private let output = Pipe()
    /// What it printed before it was ready.
    let introduction: [String]

    /// Starts the script, and waits until it is ready.
    ///
    /// - Parameter wrapper: A program and its arguments that replace themselves with the script.
    init(_ name: String, _ arguments: [String], wrapper: [String] = []) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../PostgresCluster/\(name)")
        let command = wrapper + [script.path] + arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        introduction = try Self.linesUntilReady(from: output)
    }

    /// Gives a command, and waits until the script has followed it.
    func command(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
        _ = try Self.linesUntilReady(from: output)
    }

    func end() throws {
        try input.fileHandleForWriting.close()
    }

    /// Waits for `ready`, and returns the lines before it.
    private static func linesUntilReady(from output: Pipe) throws -> [String] {
        var text = ""
        while !text.hasSuffix("ready\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                throw CocoaError(.executableLoad)
            }
            text += String(decoding: data, as: UTF8.self)
        }
        return text.split(separator: "\n").dropLast().map(String.init)
    }
}
