import FoundationEssentials
import Testing
import TillModel
import TillOutput
@testable import TillCommand

@Suite struct DownloadRenderingTests {
    private static let id = "01a1fe7e-0000-0000-0000-000000000001"
    private static let transactionID = "00000000-0000-0000-0000-000000000001"

    @Test func anActiveDownloadIsOneLine() throws {
        var download = Download.sample(1, .active, received: 5)
        download.timeRemaining = .milliseconds(1500)
        #expect(
            DownloadLine(download: download).text == """
                level1 1.2  active  id=\(Self.id) product=pro bytes=5/1500000 remaining=1s transaction=\(Self.transactionID)
                """
        )
        #expect(
            try DownloadLine(download: download).json.text() == """
                {"content_identifier":"level1","id":"\(Self.id)","length":1500000,"product_id":"pro",\
                "received_bytes":5,"state":"active","time_remaining_seconds":1.5,\
                "transaction_id":"\(Self.transactionID)","version":"1.2"}
                """
        )
    }

    @Test func aFailedDownloadHasItsReason() throws {
        var download = Download.sample(1, .failed)
        download.error = DownloadError(.noSpace, "The disk is full.")
        #expect(DownloadLine(download: download).text.hasSuffix(" reason=no-space  The disk is full."))
        let json = try DownloadLine(download: download).json.text()
        #expect(json.contains(#""error":"The disk is full.""#))
        #expect(json.contains(#""reason":"no_space""#))
    }

    @Test func aTransactionCountsItsFinishedDownloads() throws {
        var transaction = Transaction.purchased
        transaction.downloads = [.sample(1, .finished), .sample(3)]
        #expect(TransactionLine(transaction: transaction).text.hasSuffix(" username=ann downloads=1/2"))
        let json = try TransactionLine(transaction: transaction).json.text()
        #expect(json.contains(#""downloads":[{"content_identifier":"level1","#))
    }

    @Test func aTransactionsReceiptIsOnlyInJSON() throws {
        var transaction = Transaction.purchased
        transaction.receipt = "a.b.c"
        #expect(try TransactionLine(transaction: transaction).json.text().contains(#""receipt":"a.b.c""#))
        #expect(!TransactionLine(transaction: transaction).text.contains("a.b.c"))
    }

    @Test func aProductHasTheSizeOfItsContent() throws {
        let product = Product(
            id: "pro",
            type: .nonConsumable,
            displayName: "Pro",
            description: "",
            price: Price(amount: 2, currency: "USD"),
            locale: "en-US",
            contents: [
                ProductContent(identifier: "a", version: "1", length: 1_000_000),
                ProductContent(identifier: "b", version: "1.2", length: 500_000),
            ]
        )
        #expect(ProductLine(product: product).columns.last == "2 (1.5 MB)")
        #expect(
            try ProductLine(product: product).json.text().contains(
                """
                "contents":[{"identifier":"a","length":1000000,"version":"1"},\
                {"identifier":"b","length":500000,"version":"1.2"}]
                """
            )
        )
    }
}
