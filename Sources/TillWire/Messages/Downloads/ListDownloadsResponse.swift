import CTillMessages
import ProtobufCodec
package import TillModel

/// A page of the queue's downloads.
package struct ListDownloadsResponse: Hashable, Sendable {
    package var downloads: [Download]
    /// Nil after the last page.
    package var nextPageToken: UInt64?

    package init(downloads: [Download], nextPageToken: UInt64? = nil) {
        self.downloads = downloads
        self.nextPageToken = nextPageToken
    }
}

extension ListDownloadsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ListDownloadsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ListDownloadsResponse> {
        unsafe till__v1__list_downloads_response__init
    }

    init(fields: Till__V1__ListDownloadsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            downloads: Download.list(fields.downloads, fields.n_downloads, "downloads"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListDownloadsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_downloads = downloads.count
        unsafe fields.downloads = scratch.messages(downloads)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}
