import FoundationEssentials
import TillModel

/// The values of downloads and receipts behind the golden bytes.
extension Sample {
    static let content = ProductContent(identifier: "c", version: "1.2", length: 300)
    static let download = Download(
        id: uuid(0x77),
        transactionID: uuid(0x11),
        productID: "a.b",
        content: content
    )

    static var activeDownload: Download {
        var download = download
        download.state = .active
        download.receivedBytes = 5
        download.timeRemaining = .zero
        return download
    }

    static var finishedDownload: Download {
        var download = download
        download.state = .finished
        download.receivedBytes = 300
        download.contentPath = "/d"
        return download
    }

    static var failedDownload: Download {
        var download = download
        download.state = .failed
        download.error = DownloadError(.checksum, "no")
        return download
    }

    /// The bytes of ``content``, 11 of them.
    static let contentHex = "0A01 63 1203 312E32 18AC02"
    /// The bytes of ``download``, 54 of them.
    static let downloadHex = """
        0A10 77777777777777777777777777777777 1210 11111111111111111111111111111111
        1A03 612E62 220B \(contentHex)

        """
    /// The bytes of ``activeDownload``, 60 of them.
    static let activeDownloadHex = "\(downloadHex) 2801 3005 3800"
}
