import Foundation
import TillClient

/// Downloaded content that differs from the published content.
struct WrongContent: Error {
    var path: String
}

extension Customer {
    /// Downloads missing content, also after a failed download.
    func download(_ downloads: [Download]) async throws {
        let missing = downloads.filter { $0.state == .waiting || $0.state == .failed }
        guard content != nil, !missing.isEmpty else {
            return
        }
        do {
            try await queue.start(missing)
        } catch {
            // The transaction was finished in the meantime, or the daemon is gone. The daemon will report the downloads
            // again.
            guard error.code == .notFound || error.leavesOutcomeUnknown else {
                throw error
            }
        }
    }

    /// Checks the downloaded content against the published content if this is known, and downloads the rest.
    func handle(_ downloads: [Download]) async throws {
        for download in downloads where download.isHere {
            let path = download.contentPath ?? ""
            // Another task may have finished the transaction, which removes the content.
            if let content, let found = FileManager.default.contents(atPath: path), found != content {
                throw WrongContent(path: path)
            }
            pending.noteContent(of: download.transactionID)
        }
        try await self.download(downloads)
    }
}

extension Download {
    var isHere: Bool {
        state == .finished
    }
}
