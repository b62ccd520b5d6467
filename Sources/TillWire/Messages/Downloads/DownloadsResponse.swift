import CTillMessages
import ProtobufCodec
package import TillModel

/// The downloads after a command, in the order of the request.
package struct DownloadsResponse: Hashable, Sendable {
    package var downloads: [Download]

    package init(downloads: [Download]) {
        self.downloads = downloads
    }
}

extension DownloadsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension DownloadsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__DownloadsResponse> {
        unsafe till__v1__downloads_response__init
    }

    init(fields: Till__V1__DownloadsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            downloads: Download.list(fields.downloads, fields.n_downloads, "downloads")
        )
    }

    func fill(_ fields: inout Till__V1__DownloadsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_downloads = downloads.count
        unsafe fields.downloads = scratch.messages(downloads)
    }
}
