import TillModel
import TillWire

/// Google's `protoc --encode` writes the same bytes for these values.
extension Golden {
    /// The messages of downloads.proto, and messages that contain them.
    static let downloads = downloadValues + downloadCalls

    /// The messages of receipts.proto, and messages that contain them.
    static let receipts: [Golden] = [
        Golden(ApplicationReceiptRequest(), ""),
        Golden(ReceiptPart(data: Array("ey".utf8)), "0A02 6579"),
        Golden(RootCertificateRequest(), ""),
        Golden(RootCertificateResponse(certificate: [0x30, 0]), "0A02 3000"),
        Golden(
            RebuildReceiptRequest(transactionID: Sample.uuid(0x11), reason: "r"),
            "0A10 11111111111111111111111111111111 1201 72"
        ),
        Golden(
            RebuildReceiptResponse(transaction: signed),
            "0A37 \(Sample.transactionHex) 7205 612E622E63"
        ),
    ]

    private static let downloadValues: [Golden] = [
        Golden(Sample.content, Sample.contentHex),
        Golden(note: "waiting", Sample.download, Sample.downloadHex),
        Golden(note: "active, with no time remaining", Sample.activeDownload, Sample.activeDownloadHex),
        Golden(
            note: "finished",
            Sample.finishedDownload,
            "\(Sample.downloadHex) 2803 30AC02 4A02 2F64  # state, received_bytes, content_path"
        ),
        Golden(
            note: "failed",
            Sample.failedDownload,
            "\(Sample.downloadHex) 2804 4206 0804 1202 6E6F  # state, error"
        ),
        Golden(DownloadError(.withdrawn, "no"), "080A 1202 6E6F"),
        Golden(DownloadsUpdated(downloads: [Sample.activeDownload]), "0A3C \(Sample.activeDownloadHex)"),
        Golden(
            note: "of downloads",
            as: "Event",
            QueueEvent.downloadsUpdated([Sample.activeDownload]),
            "523E 0A3C \(Sample.activeDownloadHex)"
        ),
        Golden(
            note: "purchased, with a download",
            Transaction(
                id: Sample.uuid(0x11),
                revision: 300,
                state: .purchased,
                payment: Sample.payment,
                receipt: "a.b.c",
                downloads: [Sample.download]
            ),
            """
            0A10 11111111111111111111111111111111 10AC02 1801 2219 \(Sample.paymentHex)
            7205 612E622E63  # receipt
            7A36 \(Sample.downloadHex)  # downloads
            """
        ),
        Golden(note: "with content", productWithContent, "\(Sample.productHex) 4A0B \(Sample.contentHex)"),
    ]

    private static let downloadCalls: [Golden] = [
        Golden(note: "the first", ListDownloadsRequest(), ""),
        Golden(note: "a later one", ListDownloadsRequest(pageToken: 300), "08AC02"),
        Golden(
            ListDownloadsResponse(downloads: [Sample.download, Sample.finishedDownload], nextPageToken: 7),
            """
            0A36 \(Sample.downloadHex)
            0A3F \(Sample.downloadHex) 2803 30AC02 4A02 2F64
            1007  # next_page_token
            """
        ),
        Golden(
            DownloadsRequest(downloadIDs: [Sample.uuid(0x77), Sample.uuid(0x88)]),
            "0A10 77777777777777777777777777777777 0A10 88888888888888888888888888888888"
        ),
        Golden(DownloadsResponse(downloads: [Sample.activeDownload]), "0A3C \(Sample.activeDownloadHex)"),
    ]

    private static var signed: Transaction {
        var transaction = Sample.transaction
        transaction.receipt = "a.b.c"
        return transaction
    }

    private static var productWithContent: Product {
        var product = Sample.product
        product.contents = [Sample.content]
        return product
    }
}
