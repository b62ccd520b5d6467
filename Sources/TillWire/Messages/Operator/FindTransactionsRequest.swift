import CTillMessages
import ProtobufCodec
package import TillModel

/// Asks for a page of the transactions of all queues that pass a filter.
package struct FindTransactionsRequest: Hashable, Sendable {
    package var filter: TransactionFilter
    /// 0 stands for the default.
    package var pageSize: Int
    /// The `nextPageToken` of the page before; nil for the first.
    package var pageToken: UInt64?

    package init(filter: TransactionFilter = TransactionFilter(), pageSize: Int = 0, pageToken: UInt64? = nil) {
        self.filter = filter
        self.pageSize = pageSize
        self.pageToken = pageToken
    }
}

extension FindTransactionsRequest: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension FindTransactionsRequest: @unsafe WireFields {
    private static var stateCase: Till__V1__FindTransactionsRequest__StatePresenceCase {
        TILL__V1__FIND_TRANSACTIONS_REQUEST__STATE_PRESENCE_STATE
    }

    static var initializer: MessageInitializer<Till__V1__FindTransactionsRequest> {
        unsafe till__v1__find_transactions_request__init
    }

    init(fields: Till__V1__FindTransactionsRequest) throws(DecodingFailure) {
        let hasState = unsafe fields.state_presence_case == Self.stateCase
        try unsafe self.init(
            filter: TransactionFilter(
                application: .optional(fields.application),
                account: .optional(fields.account),
                productID: .optional(fields.product_id),
                state: hasState ? TransactionState(fields.state.rawValue, "state") : nil,
                attention: .optional(fields.attention.rawValue, "attention")
            ),
            pageSize: Int(fields.page_size),
            pageToken: fields.page_token == 0 ? nil : fields.page_token
        )
    }

    func fill(_ fields: inout Till__V1__FindTransactionsRequest, _ scratch: borrowing Scratch) {
        unsafe fields.application = scratch.text(filter.application ?? "")
        unsafe fields.account = scratch.text(filter.account ?? "")
        unsafe fields.product_id = scratch.text(filter.productID ?? "")
        if let state = filter.state {
            unsafe fields.state_presence_case = Self.stateCase
            unsafe fields.state = Till__V1__TransactionState(state.enumerator)
        }
        unsafe fields.attention = Till__V1__Attention(filter.attention?.enumerator ?? 0)
        unsafe fields.page_size = UInt32(clamping: pageSize)
        unsafe fields.page_token = pageToken ?? 0
    }
}
