import Glibc
import TillModel

extension TillError {
    /// The error of a failed system call: its purpose, and the text of `errno`.
    static func systemCall(_ purpose: String, errno code: CInt = errno) -> TillError {
        let reason = unsafe String(cString: strerror(code))
        return TillError(.failedPrecondition, "\(purpose): \(reason).")
    }
}
