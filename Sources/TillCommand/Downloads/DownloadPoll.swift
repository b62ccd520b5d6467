import TillClient
import TillModel

/// Lists downloads again and again, and waits for a daemon that went away.
struct DownloadPoll {
    private var isLost = false
    private var wasLost = false

    /// What `list` gives; nil while the daemon cannot be reached.
    mutating func list(_ list: () async throws -> [Download]) async throws -> [Download]? {
        wasLost = isLost
        do {
            let downloads = try await list()
            isLost = false
            return downloads
        } catch let error as TillError where error.code == .unavailable || error.code == .deadlineExceeded {
            isLost = true
            return nil
        }
    }

    /// What there is to say of the connection after the last list.
    func news(socketPath: String) -> String? {
        switch (wasLost, isLost) {
        case (false, true): "The connection is lost; waiting for the daemon at \(socketPath)."
        case (true, false): "The connection is back."
        case (true, true), (false, false): nil
        }
    }
}
