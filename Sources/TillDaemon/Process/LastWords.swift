import Glibc

/// Writes to standard error without the heap or the log, either of which a hanging thread may have locked.
enum LastWords {
    static func write(_ text: StaticString) {
        _ = unsafe Glibc.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
