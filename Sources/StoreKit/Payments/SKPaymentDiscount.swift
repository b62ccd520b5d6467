public import Foundation

/// The signed details of a subscription offer (https://developer.apple.com/documentation/storekit/skpaymentdiscount).
// Its only stored property is a constant of a Sendable type.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let fields: DiscountFields

    /// An empty discount, which no product has.
    public override init() {
        fields = DiscountFields()
        super.init()
    }

    /// A discount as the application's server signed it
    /// (https://developer.apple.com/documentation/storekit/skpaymentdiscount/init(identifier:keyidentifier:nonce:signature:timestamp:)).
    ///
    /// - Parameter timestamp: When it was signed, in milliseconds since 1970.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        fields = DiscountFields(
            identifier: identifier,
            keyIdentifier: keyIdentifier,
            nonce: nonce,
            signature: signature,
            timestamp: timestamp.int64Value
        )
        super.init()
    }

    convenience init(fields: DiscountFields) {
        self.init(
            identifier: fields.identifier,
            keyIdentifier: fields.keyIdentifier,
            nonce: fields.nonce,
            signature: fields.signature,
            timestamp: NSNumber(value: fields.timestamp)
        )
    }

    /// The offer's (https://developer.apple.com/documentation/storekit/skpaymentdiscount/identifier).
    open var identifier: String { fields.identifier }

    /// Of the key that signed it (https://developer.apple.com/documentation/storekit/skpaymentdiscount/keyidentifier).
    open var keyIdentifier: String { fields.keyIdentifier }

    /// Used once (https://developer.apple.com/documentation/storekit/skpaymentdiscount/nonce).
    open var nonce: UUID { fields.nonce }

    /// In Base64 (https://developer.apple.com/documentation/storekit/skpaymentdiscount/signature).
    open var signature: String { fields.signature }

    /// In milliseconds since 1970 (https://developer.apple.com/documentation/storekit/skpaymentdiscount/timestamp).
    open var timestamp: NSNumber { NSNumber(value: fields.timestamp) }

    /// What the discount says, asked of its properties, which a subclass may override.
    var snapshot: DiscountFields {
        DiscountFields(
            identifier: identifier,
            keyIdentifier: keyIdentifier,
            nonce: nonce,
            signature: signature,
            timestamp: timestamp.int64Value
        )
    }
}
