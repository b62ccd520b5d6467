import Glibc
import TillModel

extension TillError {
    /// The error of a failed system call: its purpose, and the text of `errno`.
    static func systemCall(_ purpose: String, errno code: CInt = errno) -> TillError {
        let reason = unsafe String(cString: strerror(code))
        return TillError(.failedPrecondition, "\(purpose): \(reason).")
    }
}

/// Errors of system calls that a temporary shortage of the daemon or the system causes, not the caller.
enum SystemShortage {
    private static let passing: Set<CInt> = [EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN, EINTR, EIO]

    /// Whether the same call may succeed later.
    static func isPassing(_ code: CInt) -> Bool {
        passing.contains(code)
    }
}
