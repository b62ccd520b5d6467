import TillClient

/// The example of downloads on TillClient's landing page.
func download(from queue: PaymentQueue, install: (String?) -> Void) async throws {
    for try await change in queue.changes {
        switch change {
        case .updated(let transactions):
            for transaction in transactions where !transaction.downloads.isEmpty {
                try await queue.start(transaction.downloads)
            }
        case .downloadsUpdated(let downloads):
            for download in downloads where download.state == .finished {
                install(download.contentPath)  // A file, or the directory of an unpacked archive.
            }
        default: break
        }
    }
}
