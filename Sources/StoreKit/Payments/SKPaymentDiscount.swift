public import Foundation

/// The signed details of a subscription offer (https://developer.apple.com/documentation/storekit/skpaymentdiscount).
// Its only stored property is a constant of a Sendable type.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private let values: DiscountValues

    /// Creates an empty discount, which no product has.
    public override init() {
        values = DiscountValues()
        super.init()
    }

    /// Creates a discount that the application's server signed
    /// (https://developer.apple.com/documentation/storekit/skpaymentdiscount/init(identifier:keyidentifier:nonce:signature:timestamp:)).
    ///
    /// - Parameters:
    ///   - identifier: The offer's identifier in the catalogue.
    ///   - keyIdentifier: Which of the application's keys signed.
    ///   - nonce: A value that the server used once.
    ///   - signature: The signature in Base64.
    ///   - timestamp: The time of signing in milliseconds since 1970.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        values = DiscountValues(
            identifier: identifier,
            keyIdentifier: keyIdentifier,
            nonce: nonce,
            signature: signature,
            timestamp: timestamp.int64Value
        )
        super.init()
    }

    convenience init(values: DiscountValues) {
        self.init(
            identifier: values.identifier,
            keyIdentifier: values.keyIdentifier,
            nonce: values.nonce,
            signature: values.signature,
            timestamp: NSNumber(value: values.timestamp)
        )
    }

    /// The identifier of the offer (https://developer.apple.com/documentation/storekit/skpaymentdiscount/identifier).
    open var identifier: String { values.identifier }

    /// The identifier of the signing key
    /// (https://developer.apple.com/documentation/storekit/skpaymentdiscount/keyidentifier).
    open var keyIdentifier: String { values.keyIdentifier }

    /// A value that is used only once (https://developer.apple.com/documentation/storekit/skpaymentdiscount/nonce).
    open var nonce: UUID { values.nonce }

    /// The signature in Base64 (https://developer.apple.com/documentation/storekit/skpaymentdiscount/signature).
    open var signature: String { values.signature }

    /// The time of signing in milliseconds since 1970
    /// (https://developer.apple.com/documentation/storekit/skpaymentdiscount/timestamp).
    open var timestamp: NSNumber { NSNumber(value: values.timestamp) }

    /// The current values, read from the properties because a subclass may override them.
    var snapshot: DiscountValues {
        DiscountValues(
            identifier: identifier,
            keyIdentifier: keyIdentifier,
            nonce: nonce,
            signature: signature,
            timestamp: timestamp.int64Value
        )
    }
}

/// The values of a signed discount.
struct DiscountValues: Hashable, Sendable {
    var identifier = ""
    var keyIdentifier = ""
    var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var signature = ""
    /// Milliseconds since 1970.
    var timestamp: Int64 = 0
}
