import Foundation
import ProcessTesting

/// A verb that was started, with the files of its output.
struct RunningCommand {
    let process: ChildProcess
    let output: String
    let errors: String

    /// How many bytes it has printed so far.
    var outputSize: Int {
        get throws {
            try URL(filePath: output).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
    }

    /// What it has printed so far, but for a line that is not whole.
    var printed: Printed {
        get throws {
            let text = try String(contentsOfFile: output, encoding: .utf8)
            let end = text.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
            return Printed(text: String(text[..<end]), errors: try String(contentsOfFile: errors, encoding: .utf8))
        }
    }
}
