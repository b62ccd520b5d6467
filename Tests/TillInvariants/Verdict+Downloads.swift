import FoundationEssentials
import TillEngine
import TillModel

extension Verdict {
    /// What was told to be there is there, until its transaction is finished.
    mutating func checkDownloads(_ queue: QueueEvidence, _ books: Books) {
        let published = Set(books.published.filter { $0.content != nil }.map(\.download))
        let rows = Dictionary(queue.books.downloads.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for download in queue.finishedDownloads where queue.finishIntendedAt[download.transactionID] == nil {
            expect(
                .finishedDownloadsAreKept,
                rows[download.id]?.state == .finished,
                "the application was told that \(download.id.text) is finished, and the ledger says otherwise"
            )
        }
        for row in queue.books.downloads where row.state == .finished {
            expect(
                .finishedDownloadsAreKept,
                published.contains(row.id),
                "the ledger says that the download \(row.id.text) is finished, and its content is not there"
            )
        }
    }

    /// Under a final name there is all of a content, or nothing. What the ledger has let go may be half removed.
    mutating func checkContent(_ books: Books) {
        let kept = Set(books.queues.flatMap(\.downloads).map(\.id))
        for published in books.published {
            let hosted = published.content.flatMap { books.hosted[$0.identifier] }
            let isWhole = published.content != nil && published.content == hosted
            let isLeft = published.content?.files.allSatisfy { hosted?.files[$0.key] == $0.value } ?? true
            expect(
                .contentIsWhole,
                isWhole || isLeft && !kept.contains(published.download),
                "\(published.content?.identifier ?? "nothing") in the place of \(published.download.text) is not whole"
            )
        }
    }
}
