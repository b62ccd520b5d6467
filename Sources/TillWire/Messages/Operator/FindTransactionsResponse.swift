import CTillMessages
import ProtobufCodec
package import TillModel

/// A page of what an operator looked for.
package struct FindTransactionsResponse: Hashable, Sendable {
    package var transactions: [OperatorTransaction]
    /// Nil after the last page.
    package var nextPageToken: UInt64?

    package init(transactions: [OperatorTransaction], nextPageToken: UInt64? = nil) {
        self.transactions = transactions
        self.nextPageToken = nextPageToken
    }
}

extension FindTransactionsResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension FindTransactionsResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__FindTransactionsResponse> {
        unsafe till__v1__find_transactions_response__init
    }

    init(fields: Till__V1__FindTransactionsResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transactions: OperatorTransaction.list(fields.transactions, fields.n_transactions, "transactions"),
            nextPageToken: fields.next_page_token == 0 ? nil : fields.next_page_token
        )
    }

    func fill(_ fields: inout Till__V1__FindTransactionsResponse, _ scratch: borrowing Scratch) {
        unsafe fields.n_transactions = transactions.count
        unsafe fields.transactions = scratch.messages(transactions)
        unsafe fields.next_page_token = nextPageToken ?? 0
    }
}
