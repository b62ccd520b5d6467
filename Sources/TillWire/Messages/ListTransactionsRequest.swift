import CTillMessages
import ProtobufCodec

/// Asks for a page of the queue.
package struct ListTransactionsRequest: Hashable, Sendable {
    /// 0 stands for the default.
    package var pageSize: Int
    /// The `nextPageToken` of the page before; nil for the first.
    package var pageToken: UInt64?
    package var includesFinished: Bool

    package init(pageSize: Int = 0, pageToken: UInt64? = nil, includesFinished: Bool = false) {
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.includesFinished = includesFinished
    }
}

extension ListTransactionsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ListTransactionsRequest: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ListTransactionsRequest> {
        unsafe till__v1__list_transactions_request__init
    }

    init(fields: Till__V1__ListTransactionsRequest) {
        unsafe self.init(
            pageSize: Int(fields.page_size),
            pageToken: fields.page_token == 0 ? nil : fields.page_token,
            includesFinished: Bool(field: fields.include_finished)
        )
    }

    func fill(_ fields: inout Till__V1__ListTransactionsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.page_size = UInt32(clamping: pageSize)
        unsafe fields.page_token = pageToken ?? 0
        unsafe fields.include_finished = includesFinished.field
    }
}
