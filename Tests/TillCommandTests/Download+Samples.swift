import FoundationEssentials
import TillModel

extension Download {
    /// The download 01a1fe7e-0000-0000-0000-00000000000N of the transaction N % 2.
    static func sample(
        _ number: UInt64,
        _ state: DownloadState = .waiting,
        received: Int64 = 0,
        of length: Int64 = 1_500_000
    ) -> Download {
        Download(
            id: UUID(high: 0x01A1_FE7E_0000_0000, low: number),
            transactionID: UUID(high: 0, low: number % 2),
            productID: "pro",
            content: ProductContent(identifier: "level\(number)", version: "1.2", length: length),
            state: state,
            receivedBytes: received
        )
    }
}
