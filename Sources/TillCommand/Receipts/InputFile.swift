import Foundation

/// A file that a verb reads, or the standard input.
struct InputFile {
    static let standardInput = "-"

    let path: String

    /// All of it.
    ///
    /// - Throws: `CommandFailure` when it cannot be read, or has more bytes than `maximum`.
    func bytes(maximum: Int) throws(CommandFailure) -> [UInt8] {
        let name = path == Self.standardInput ? "The standard input" : path
        let data: Data?
        do {
            let isInput = path == Self.standardInput
            let handle = isInput ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
            data = try handle.read(upToCount: maximum + 1)
        } catch {
            throw CommandFailure(.badData, "\(name) cannot be read.")
        }
        guard let data, !data.isEmpty else {
            throw CommandFailure(.badData, "\(name) is empty.")
        }
        guard data.count <= maximum else {
            throw CommandFailure(.badData, "\(name) has more than \(maximum) bytes.")
        }
        return Array(data)
    }
}
