import Glibc
import TillModel

extension TillError {
    /// A system call that failed, by what it was for; `errno` says why.
    static func systemCall(_ purpose: String, errno code: CInt = errno) -> TillError {
        let reason = unsafe String(cString: strerror(code))
        return TillError(.failedPrecondition, "\(purpose): \(reason).")
    }
}
