import Foundation
import TillClient

/// Content that came otherwise than it was published.
struct WrongContent: Error {
    var path: String
}

extension Customer {
    /// Has content downloaded that is not here, also when it failed before.
    func download(_ downloads: [Download]) async throws {
        let missing = downloads.filter { $0.state == .waiting || $0.state == .failed }
        guard content != nil, !missing.isEmpty else {
            return
        }
        do {
            try await queue.start(missing)
        } catch {
            // Finished meanwhile, or the daemon is gone: they are told of again.
            guard error.code == .notFound || error.leavesItOpen else {
                throw error
            }
        }
    }

    /// Checks what has come, if it knows what should have, and has the rest downloaded.
    func handle(_ downloads: [Download]) async throws {
        for download in downloads where download.isHere {
            let path = download.contentPath ?? ""
            // It may have been finished by another task, which removes the content.
            if let content, let found = FileManager.default.contents(atPath: path), found != content {
                throw WrongContent(path: path)
            }
            desk.noteContent(of: download.transactionID)
        }
        try await self.download(downloads)
    }
}

extension Download {
    var isHere: Bool {
        state == .finished
    }
}
