import Foundation
import Glibc

/// The progress of a run, which is shown only on a terminal.
enum Progress {
    static func show(_ line: String) {
        if isatty(STDERR_FILENO) == 1 {
            FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
        }
    }
}
