// Generated from Proto/till/v1/downloads.proto by `make proto`. Change that file instead.

import CTillMessages
package import FoundationEssentials
import ProtobufCodec
package import TillModel

/// Hosted content of purchases in the queue. The daemon downloads what the application asks for, even after the
/// application has ended.
package enum DownloadsMethod: String, ServiceMethod {
    /// The downloads of all unfinished transactions, the oldest first, in pages of 32.
    case listDownloads = "ListDownloads"
    /// Starts waiting, failed and cancelled downloads. This and the next three respond once the change is durable, and
    /// do not change downloads in another state.
    case start = "Start"
    case pause = "Pause"
    case resume = "Resume"
    /// Removes partial data too.
    case cancel = "Cancel"

    package static let service = "till.v1.Downloads"
}

extension ListDownloadsRequest: Call {
    package typealias Response = ListDownloadsResponse

    package static let path = MethodPath(DownloadsMethod.listDownloads)
}

extension DownloadsRequest: SharedCall {
    package typealias Response = DownloadsResponse

    /// The methods that take this request.
    package enum Method: String, ServiceMethod {
        case start = "Start"
        case pause = "Pause"
        case resume = "Resume"
        case cancel = "Cancel"

        package static let service = DownloadsMethod.service
    }
}

extension ProductContent: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__ProductContent> {
        unsafe till__v1__product_content__init
    }

    init(fields: Till__V1__ProductContent) {
        unsafe self.init(
            identifier: String(field: fields.identifier),
            version: String(field: fields.version),
            length: fields.length
        )
    }

    func fill(_ fields: inout Till__V1__ProductContent, _ scratch: borrowing Scratch) {
        unsafe fields.identifier = scratch.text(identifier)
        unsafe fields.version = scratch.text(version)
        unsafe fields.length = length
    }
}

extension Download: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__Download> {
        unsafe till__v1__download__init
    }

    init(fields: Till__V1__Download) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            transactionID: UUID(fields.transaction_id, "transaction_id"),
            productID: String(field: fields.product_id),
            content: .required(fields.content, "content"),
            state: DownloadState(fields.state.rawValue, "state"),
            receivedBytes: fields.received_bytes,
            timeRemaining: fields.time_remaining_presence_case.rawValue == 7
                ? Duration(milliseconds: Int64(fields.time_remaining_ms)) : nil,
            error: .optional(fields.error, "error"),
            contentPath: .optional(fields.content_path)
        )
    }

    func fill(_ fields: inout Till__V1__Download, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.transaction_id = scratch.bytes(transactionID.bytes)
        unsafe fields.product_id = scratch.text(productID)
        unsafe fields.content = scratch.message(content)
        unsafe fields.state.rawValue = state.enumerator
        unsafe fields.received_bytes = receivedBytes
        if let timeRemaining {
            unsafe fields.time_remaining_presence_case.rawValue = 7
            unsafe fields.time_remaining_ms = timeRemaining.milliseconds
        }
        unsafe fields.error = scratch.message(error)
        unsafe fields.content_path = scratch.text(contentPath ?? "")
    }
}

extension DownloadError: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__DownloadError> {
        unsafe till__v1__download_error__init
    }

    init(fields: Till__V1__DownloadError) throws(DecodingFailure) {
        try unsafe self.init(
            Reason(fields.reason.rawValue, "reason"),
            String(field: fields.message)
        )
    }

    func fill(_ fields: inout Till__V1__DownloadError, _ scratch: borrowing Scratch) {
        unsafe fields.reason.rawValue = reason.enumerator
        unsafe fields.message = scratch.text(message)
    }
}

/// `till.v1.ListDownloadsRequest`: the request of `ListDownloads`.
package struct ListDownloadsRequest: Hashable, Sendable {
    /// The next_page_token of the page before; 0 for the first.
    package var pageToken: UInt64?

    package init(
        pageToken: UInt64? = nil
    ) {
        self.pageToken = pageToken
    }
}

extension ListDownloadsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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

/// `till.v1.ListDownloadsResponse`: the answer of `ListDownloads`.
package struct ListDownloadsResponse: Hashable, Sendable {
    package var downloads: [Download]
    /// 0 after the last page.
    package var nextPageToken: UInt64?

    package init(
        downloads: [Download],
        nextPageToken: UInt64? = nil
    ) {
        self.downloads = downloads
        self.nextPageToken = nextPageToken
    }
}

extension ListDownloadsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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

/// `till.v1.DownloadsRequest`: the request of `Start`, `Pause`, `Resume`, `Cancel`.
package struct DownloadsRequest: Hashable, Sendable {
    /// 1 to 32, all of this queue.
    package var downloadIDs: [UUID]

    package init(
        downloadIDs: [UUID] = []
    ) {
        self.downloadIDs = downloadIDs
    }
}

extension DownloadsRequest: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

    static var initializer: MessageInitializer<Till__V1__DownloadsRequest> {
        unsafe till__v1__downloads_request__init
    }

    init(fields: Till__V1__DownloadsRequest) throws(DecodingFailure) {
        try unsafe self.init(
            downloadIDs: [UUID](fields.download_ids, fields.n_download_ids, "download_ids")
        )
    }

    func fill(_ fields: inout Till__V1__DownloadsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.n_download_ids = downloadIDs.count
        unsafe fields.download_ids = scratch.identities(downloadIDs)
    }
}

/// `till.v1.DownloadsResponse`: the answer of `Start`, `Pause`, `Resume`, `Cancel`.
package struct DownloadsResponse: Hashable, Sendable {
    /// In the order of the request.
    package var downloads: [Download]

    package init(
        downloads: [Download]
    ) {
        self.downloads = downloads
    }
}

extension DownloadsResponse: WireMessage, @unsafe WireFields {
    package static let codec = unsafe WireCodec(Self.self)

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
