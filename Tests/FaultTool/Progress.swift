import Foundation
import Glibc

/// How far a run is, on a terminal only.
enum Progress {
    static func show(_ line: String) {
        if isatty(STDERR_FILENO) == 1 {
            FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
        }
    }
}
