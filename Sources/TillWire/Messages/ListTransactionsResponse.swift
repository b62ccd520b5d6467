import CTillMessages
import ProtobufCodec
package import TillModel

/// A page of the queue.
package struct ListTransactionsResponse: Hashable, Sendable {
    package var transactions: [Transaction]
    /// Nil after the last page.
    package var nextPageToken: UInt64?

    package init(transactions: [Transaction], nextPageToken: UInt64? = nil) {
        self.transactions = transactions
        self.nextPageToken = nextPageToken
    }
}

extension ListTransactionsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ListTransactionsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ListTransactionsResponse> {
        unsafe till__v1__list_transactions_response__init
    }

    init(fields: Till__V1__ListTransactionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transactions: Transaction.list(fields.transactions, fields.n_transactions, "transactions"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__ListTransactionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_transactions = transactions.count
        unsafe fields.transactions = scratch.messages(transactions)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}
