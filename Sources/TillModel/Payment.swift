public import FoundationEssentials

/// A request to buy a product, like `SKPayment`.
public struct Payment: Hashable, Sendable, Identifiable {
    /// The quantity of a product that one payment may buy
    /// (https://developer.apple.com/documentation/storekit/skpayment/quantity).
    public static let quantityRange = 1...10
    /// The maximum length of `applicationUsername` in UTF-8 bytes.
    public static let applicationUsernameMaximumBytes = 1024

    /// The maximum length of `requestData` and of a discount's signature in bytes.
    public static let attachmentMaximumBytes = 1024

    /// The payment's permanent id: in the queue, at the provider and in every log.
    ///
    /// Two payments are the same purchase if and only if their ids are equal.
    public var id: UUID
    public var productID: String
    /// The quantity, within ``quantityRange``.
    public var quantity: Int
    /// The application's name for the buying user; at most ``applicationUsernameMaximumBytes``.
    public var applicationUsername: String?
    /// Reserved, as in StoreKit: a payment that sets it fails. At most ``attachmentMaximumBytes``.
    public var requestData: [UInt8]?
    public var discount: PaymentDiscount?
    public var simulatesAskToBuyInSandbox: Bool

    /// Creates a payment, by default with a new id.
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

/// The signed details of a subscription offer, like `SKPaymentDiscount`.
public struct PaymentDiscount: Hashable, Sendable {
    /// 1 to 128 characters of `A-Z a-z 0-9 . _ : -`, like `keyIdentifier`.
    public var identifier: String
    public var keyIdentifier: String
    public var nonce: UUID
    /// At most ``Payment/attachmentMaximumBytes`` UTF-8 bytes.
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
