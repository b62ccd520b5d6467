import CTillMessages
import FoundationEssentials
import ProtobufCodec
package import TillModel

extension PurchaseIdentity: WireMessage {
    package static let codec = unsafe WireCodec(Self.self)
}

extension PurchaseIdentity: @unsafe WireFields {
    static var initializer: MessageInitializer<Till__V1__PurchaseIdentity> {
        unsafe till__v1__purchase_identity__init
    }

    init(fields: Till__V1__PurchaseIdentity) {
        unsafe self.init(
            transactionIdentifier: String(field: fields.transaction_identifier),
            transactionDate: Date(millisecondsSince1970: fields.transaction_date_ms)
        )
    }

    func fill(_ fields: inout Till__V1__PurchaseIdentity, _ scratch: borrowing Scratch) {
        unsafe fields.transaction_identifier = scratch.text(transactionIdentifier)
        unsafe fields.transaction_date_ms = transactionDate.millisecondsSince1970
    }
}
