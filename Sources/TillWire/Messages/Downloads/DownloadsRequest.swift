import CTillMessages
package import FoundationEssentials
import ProtobufCodec
import TillModel

/// Starts, pauses, resumes or cancels downloads.
package struct DownloadsRequest: Hashable, Sendable {
    package var downloadIDs: [UUID]

    package init(downloadIDs: [UUID]) {
        self.downloadIDs = downloadIDs
    }
}

extension DownloadsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension DownloadsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__DownloadsRequest> {
        unsafe till__v1__downloads_request__init
    }

    init(fields: Till__V1__DownloadsRequest) throws(DecodingFailure) {
        try unsafe self.init(
            downloadIDs: .init(fields.download_ids, fields.n_download_ids, "download_ids")
        )
    }

    func fill(_ fields: inout Till__V1__DownloadsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.n_download_ids = downloadIDs.count
        unsafe fields.download_ids = scratch.list(downloadIDs.map { unsafe scratch.bytes($0.bytes) })
    }
}
