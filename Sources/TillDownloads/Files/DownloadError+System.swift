import Glibc
import TillModel

extension DownloadError {
    /// Creates the error of a system call that has just failed.
    ///
    /// - Parameter purpose: The purpose of the call, as the start of a sentence.
    static func system(_ purpose: String, errno code: CInt = errno) -> DownloadError {
        let reason: Reason = code == ENOSPC || code == EDQUOT ? .noSpace : .storage
        return DownloadError(reason, "\(purpose): \(unsafe String(cString: strerror(code))).")
    }
}
