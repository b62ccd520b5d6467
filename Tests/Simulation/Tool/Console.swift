import Glibc

/// Writes to standard output and standard error without a buffer, so that no line is lost if the program traps.
enum Console {
    static func write(_ line: String) {
        write(line + "\n", to: STDOUT_FILENO)
    }

    static func writeError(_ line: String) {
        write(line + "\n", to: STDERR_FILENO)
    }

    /// Overwrites the previous progress line if standard error is a terminal.
    static func showProgress(_ line: String) {
        if isatty(STDERR_FILENO) == 1 {
            write("\r" + line, to: STDERR_FILENO)
        }
    }

    static func endProgress() {
        showProgress("\n")
    }

    private static func write(_ text: String, to file: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.write(file, bytes, bytes.count)
    }
}
