package import FoundationEssentials
package import TillModel

/// A finished download, as the daemon reported it to an application.
package struct DownloadNote: Hashable, Sendable, Codable {
    package var id: UUID
    package var transactionID: UUID

    package init(_ download: Download) {
        id = download.id
        transactionID = download.transactionID
    }
}
