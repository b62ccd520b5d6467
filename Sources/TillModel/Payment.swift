public import FoundationEssentials

/// A request to buy a product, as `SKPayment` is one.
public struct Payment: Hashable, Sendable, Identifiable {
    /// How many of a product one payment may buy (https://developer.apple.com/documentation/storekit/skpayment/quantity).
    public static let quantityRange = 1...10
    /// The longest `applicationUsername`, in bytes of UTF-8.
    public static let applicationUsernameMaximumBytes = 1024

    /// The longest `requestData`, and the longest signature of a discount, in bytes.
    public static let attachmentMaximumBytes = 1024

    /// The payment's identity for ever: in the queue, at the provider and in every log.
    ///
    /// Two payments are the same purchase exactly when their identities are equal.
    public var id: UUID
    public var productID: String
    /// Within ``quantityRange``.
    public var quantity: Int
    /// The application's name for the user who buys; at most ``applicationUsernameMaximumBytes``.
    public var applicationUsername: String?
    /// Reserved, as in StoreKit: a payment that sets it fails. At most ``attachmentMaximumBytes``.
    public var requestData: [UInt8]?
    public var discount: PaymentDiscount?
    public var simulatesAskToBuyInSandbox: Bool

    /// A payment with a new identity, unless one is given.
    public init(
        id: UUID = .version7(),
        productID: String,
        quantity: Int = 1,
        applicationUsername: String? = nil,
        requestData: [UInt8]? = nil,
        discount: PaymentDiscount? = nil,
        simulatesAskToBuyInSandbox: Bool = false
    ) {
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.requestData = requestData
        self.discount = discount
        self.simulatesAskToBuyInSandbox = simulatesAskToBuyInSandbox
    }
}

/// The signed details of a subscription offer, as `SKPaymentDiscount` has them.
public struct PaymentDiscount: Hashable, Sendable {
    /// 1 to 128 of `A-Z a-z 0-9 . _ : -`, as the key's.
    public var identifier: String
    public var keyIdentifier: String
    public var nonce: UUID
    /// At most ``Payment/attachmentMaximumBytes`` of UTF-8.
    public var signature: String
    public var timestamp: Date

    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: Date) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}
