import Glibc
import TillModel

extension DownloadError {
    /// Of a system call that just failed.
    ///
    /// - Parameter purpose: What it was for, as the beginning of a sentence.
    static func system(_ purpose: String, errno code: CInt = errno) -> DownloadError {
        let reason: Reason = code == ENOSPC || code == EDQUOT ? .noSpace : .storage
        return DownloadError(reason, "\(purpose): \(unsafe String(cString: strerror(code))).")
    }
}
