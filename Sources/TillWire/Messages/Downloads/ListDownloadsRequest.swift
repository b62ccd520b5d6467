import CTillMessages
import ProtobufCodec

/// Asks for a page of the queue's downloads.
package struct ListDownloadsRequest: Hashable, Sendable {
    /// The `nextPageToken` of the page before; nil for the first.
    package var pageToken: UInt64?

    package init(pageToken: UInt64? = nil) {
        self.pageToken = pageToken
    }
}

extension ListDownloadsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ListDownloadsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ListDownloadsRequest> {
        unsafe till__v1__list_downloads_request__init
    }

    init(fields: Till__V1__ListDownloadsRequest) {
        unsafe self.init(
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListDownloadsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_token = pageToken ?? 0
    }
}
