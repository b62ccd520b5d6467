import FoundationEssentials
import TillEngine
import TillModel

@testable import TillSQL
@testable import TillSQLite

extension SQLiteQueryPlanTests {
    static let downloads = [
        Query(
            "download by identity",
            "SEARCH downloads USING INDEX sqlite_autoindex_downloads_1 (id=?)"
        ) { _ = try $0.download(UUID()) },
        Query(
            "downloads of a transaction",
            "SEARCH downloads USING INDEX downloads_of_transaction (transaction_key=?)"
        ) { _ = try $0.downloads(ofTransaction: 1) },
        Query(
            "downloads of a queue",
            "SEARCH downloads USING INDEX downloads_by_key (queue=? AND rowid>?)"
        ) { _ = try $0.downloads(in: 1, afterKey: 0, limit: 1) },
        Query(
            "changed downloads",
            "SEARCH downloads USING INDEX downloads_by_revision (queue=? AND revision>?)"
        ) { _ = try $0.downloads(in: 1, changedAfter: 0, limit: 1) },
        Query(
            "active downloads",
            "SEARCH downloads USING INDEX downloads_active (state=?)"
        ) { _ = try $0.activeDownloads(limit: 1) },
        Query(
            "identities of all downloads",
            "SCAN downloads USING COVERING INDEX sqlite_autoindex_downloads_1"
        ) { _ = try $0.downloadIDs() },
        Query(
            "room that an account's downloads take",
            """
            SEARCH downloads USING COVERING INDEX downloads_on_disk (queue=? AND state=?)
            LIST SUBQUERY 1
            SEARCH queues USING COVERING INDEX queues_by_account (account=?)
            """
        ) { _ = try $0.downloadBytes(ofAccount: "a") },
        Query(
            "update a download",
            "SEARCH downloads USING INTEGER PRIMARY KEY (rowid=?)"
        ) { writer in
            var download = DownloadRecord.sample(.sample(1, revision: 1))
            download.key = 1
            try writer.update(download)
        },
        Query(
            "delete a transaction's downloads",
            "SEARCH downloads USING COVERING INDEX downloads_of_transaction (transaction_key=?)"
        ) { try $0.deleteDownloads(ofTransaction: 1) },
        Query(
            "header of a receipt",
            "SEARCH receipt_headers USING INTEGER PRIMARY KEY (rowid=?)"
        ) { _ = try $0.receiptHeader(key: 1) },
        Query(
            "transaction with a receipt and downloads",
            "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH receipt_headers USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH downloads USING INDEX downloads_of_transaction (transaction_key=?)"
        ) { _ = try $0.transaction(key: 2) },
    ]
}
