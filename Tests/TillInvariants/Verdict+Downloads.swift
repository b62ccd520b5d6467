import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// Checks that finished downloads have their content until their transaction is finished.
    mutating func checkDownloads(_ queue: QueueEvidence, _ books: Books) {
        let published = Set(books.published.filter { $0.content != nil }.map(\.download))
        let rows = Dictionary(queue.books.downloads.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for download in queue.finishedDownloads where queue.finishIntendedAt[download.transactionID] == nil {
            expect(
                .finishedDownloadsAreKept,
                rows[download.id]?.state == .finished,
                "the application was notified that \(download.id.text) is finished, but the ledger disagrees"
            )
        }
        for row in queue.books.downloads where row.state == .finished {
            expect(
                .finishedDownloadsAreKept,
                published.contains(row.id),
                "the ledger says that the download \(row.id.text) is finished, but its content is missing"
            )
        }
    }

    /// Checks that a final name has complete content or none. Content that the ledger has released may be partly
    /// removed.
    mutating func checkContent(_ books: Books) {
        let kept = Set(books.queues.flatMap(\.downloads).map(\.id))
        for published in books.published {
            let hosted = published.content.flatMap { books.hosted[$0.identifier] }
            let isWhole = published.content != nil && published.content == hosted
            let isLeft = published.content?.files.allSatisfy { hosted?.files[$0.key] == $0.value } ?? true
            expect(
                .contentIsWhole,
                isWhole || isLeft && !kept.contains(published.download),
                "the content of \(published.download.text) is incomplete: \(published.content?.identifier ?? "none")"
            )
        }
    }
}
