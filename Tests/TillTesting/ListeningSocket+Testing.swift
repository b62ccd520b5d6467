package import TillDaemon
import TillModel

extension ListeningSocket {
    /// The socket at the path, once it is free: a process that an exit test spawns has our files until it has begun, the
    /// socket's lock among them.
    package static func whenFree(_ path: String) async throws -> ListeningSocket {
        var attempt = Result { try ListeningSocket(path: path, isOpenToOthers: false) }
        while case .failure(let error as TillError) = attempt, error.code == .failedPrecondition {
            try await Task.yieldUnlessCancelled()
            attempt = Result { try ListeningSocket(path: path, isOpenToOthers: false) }
        }
        return try attempt.get()
    }
}
