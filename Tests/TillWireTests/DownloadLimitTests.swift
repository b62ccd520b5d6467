import FoundationEssentials
import TillModel
import TillWire
import Testing

/// The largest messages of downloads and receipts are within what a client reads.
@Suite struct DownloadLimitTests {
    /// What a frame may hold by default.
    private let frameBytesMaximum = 256 << 10
    private static let identifier = String(repeating: "i", count: Identifier.maximumBytes)
    /// Longer than any that the system takes.
    private static let path = "/" + String(repeating: "p", count: 4095)
    private static let version = "999999999.999999999.999999999.999999999"

    /// A download in a state, with the longest texts.
    static func largest(_ state: DownloadState) -> Download {
        Download(
            id: Sample.uuid(1),
            transactionID: Sample.uuid(2),
            productID: identifier,
            content: ProductContent(identifier: identifier, version: version, length: .max),
            state: state,
            receivedBytes: .max,
            timeRemaining: .milliseconds(Int64.max),
            error: DownloadError(.withdrawn, String(repeating: "e", count: 1024)),
            contentPath: path
        )
    }

    @Test(arguments: DownloadState.allCases)
    func theLargestPageOfDownloadsIsRead(_ state: DownloadState) throws {
        let downloads = [Download](repeating: Self.largest(state), count: WireProtocol.downloadsMaximum)
        try expectReadable(ListDownloadsResponse(downloads: downloads, nextPageToken: .max))
        try expectReadable(DownloadsResponse(downloads: downloads))
    }

    @Test func theLargestCommandIsRead() throws {
        let ids = [UUID](repeating: Sample.uuid(1), count: WireProtocol.downloadsMaximum)
        try expectReadable(DownloadsRequest(downloadIDs: ids))
    }

    @Test func theLargestPartOfAReceiptIsRead() throws {
        let data = [UInt8](repeating: 0x65, count: WireProtocol.receiptPartMaximumBytes)
        try expectReadable(ReceiptPart(data: data))
    }

    @Test func theLargestSignedTransactionIsRead() throws {
        var transaction = LimitTests.largest
        transaction.receipt = String(repeating: "e", count: 8 << 10)
        transaction.downloads = .init(repeating: Self.largest(.finished), count: 16)
        try expectReadable(RebuildReceiptResponse(transaction: transaction))
    }

    private func expectReadable<Value: WireMessage>(_ value: Value) throws {
        let bytes = value.wireBytes()
        #expect(bytes.count < frameBytesMaximum)
        #expect(try Value(wire: bytes) == value)
    }
}
