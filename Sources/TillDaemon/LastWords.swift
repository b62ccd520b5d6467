import Glibc

/// Says something on standard error without the heap or the log, which a thread that hangs may have locked.
enum LastWords {
    static func say(_ words: StaticString) {
        _ = unsafe write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
    }
}
