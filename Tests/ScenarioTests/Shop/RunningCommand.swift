import Foundation
import ProcessTesting

/// A running command, with the files of its output.
struct RunningCommand {
    let process: ChildProcess
    let output: String
    let errors: String

    /// The number of bytes printed so far.
    var outputSize: Int {
        get throws {
            try URL(filePath: output).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
    }

    /// The output so far, without an incomplete last line.
    var printed: Printed {
        get throws {
            let text = try String(contentsOfFile: output, encoding: .utf8)
            let end = text.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
            return Printed(text: String(text[..<end]), errors: try String(contentsOfFile: errors, encoding: .utf8))
        }
    }
}
