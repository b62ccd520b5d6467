import CTillMessages
import ProtobufCodec
package import TillModel

/// The transaction after what an operator found out.
package struct ResolveResponse: Hashable, Sendable {
    package var transaction: Transaction

    package init(transaction: Transaction) {
        self.transaction = transaction
    }
}

extension ResolveResponse: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension ResolveResponse: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__ResolveResponse> {
        unsafe till__v1__resolve_response__init
    }

    init(fields: Till__V1__ResolveResponse) throws(DecodingFailure) {
        try unsafe self.init(
            transaction: .required(fields.transaction, "transaction")
        )
    }

    func fill(_ fields: inout Till__V1__ResolveResponse, _ scratch: borrowing Scratch) {
        unsafe fields.transaction = scratch.message(transaction)
    }
}
