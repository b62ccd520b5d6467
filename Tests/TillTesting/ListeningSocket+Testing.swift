package import TillDaemon
import TillModel

extension ListeningSocket {
    /// Opens a socket at the path once it is free. A process that an exit test spawns shares this process's descriptors
    /// until its program starts. The socket's lock is one of them.
    package static func whenFree(_ path: String) async throws -> ListeningSocket {
        var attempt = Result { try ListeningSocket(path: path, isOpenToOthers: false) }
        while case .failure(let error as TillError) = attempt, error.code == .failedPrecondition {
            try await Task.yieldUnlessCancelled()
            attempt = Result { try ListeningSocket(path: path, isOpenToOthers: false) }
        }
        return try attempt.get()
    }
}
