import Glibc

/// Errors of system calls that say something about the daemon or the system at this moment, and nothing about the caller.
enum SystemShortage {
    private static let passing: Set<CInt> = [EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EINTR, EIO]

    /// Whether the same call may succeed later.
    static func isPassing(_ code: CInt) -> Bool {
        passing.contains(code)
    }
}
