import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension OriginalTransaction: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension OriginalTransaction: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__OriginalTransaction> {
        unsafe till__v1__original_transaction__init
    }

    init(fields: Till__V1__OriginalTransaction) throws(DecodingFailure) {
        try unsafe self.init(
            id: UUID(fields.id, "id"),
            purchase: PurchaseIdentity(
                transactionIdentifier: String(field: fields.transaction_identifier),
                transactionDate: Date(millisecondsSince1970: fields.transaction_date_ms)
            )
        )
    }

    func fill(_ fields: inout Till__V1__OriginalTransaction, _ scratch: borrowing Scratch) {
        unsafe fields.id = scratch.bytes(id.bytes)
        unsafe fields.transaction_identifier = scratch.text(purchase.transactionIdentifier)
        unsafe fields.transaction_date_ms = purchase.transactionDate.millisecondsSince1970
    }
}
