import FoundationEssentials
import TestValues
import TillModel

extension SplitMix64 {
    mutating func content() -> ProductContent {
        ProductContent(identifier: text(), version: text(), length: Int64(bitPattern: next()))
    }

    mutating func download() -> Download {
        Download(
            id: uuid(),
            transactionID: uuid(),
            productID: text(),
            content: content(),
            state: element(of: DownloadState.self),
            receivedBytes: Int64(bitPattern: next()),
            timeRemaining: optional { .milliseconds($0.number()) },
            error: optional { DownloadError($0.element(of: DownloadError.Reason.self), $0.text()) },
            contentPath: optional { $0.text(from: 1) }
        )
    }
}
