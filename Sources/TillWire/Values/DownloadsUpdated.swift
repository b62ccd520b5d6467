import CTillMessages
import ProtobufCodec
package import TillModel

/// Downloads that changed or made progress.
package struct DownloadsUpdated: Hashable, Sendable {
    package var downloads: [Download]

    package init(downloads: [Download]) {
        self.downloads = downloads
    }
}

extension DownloadsUpdated: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension DownloadsUpdated: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__DownloadsUpdated> {
        unsafe till__v1__downloads_updated__init
    }

    init(fields: Till__V1__DownloadsUpdated) throws(DecodingFailure) {
        try unsafe self.init(
            downloads: Download.list(fields.downloads, fields.n_downloads, "downloads")
        )
    }

    func fill(_ fields: inout Till__V1__DownloadsUpdated, _ scratch: borrowing Scratch) {
        unsafe fields.n_downloads = downloads.count
        unsafe fields.downloads = scratch.messages(downloads)
    }
}
