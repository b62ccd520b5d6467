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

extension Payment {
    /// Checks the constraints that hold for every product and account.
    ///
    /// - Throws: `invalidArgument` with the field's name. Such a payment never becomes a transaction.
    package func validate() throws(TillError) {
        try id.validate(asIdentityOf: "payment")
        guard Identifier.isValid(productID) else {
            throw TillError(
                .invalidArgument,
                "The product identifier must be 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
            )
        }
        guard Payment.quantityRange.contains(quantity) else {
            throw TillError(
                .invalidArgument,
                "The quantity must be \(Payment.quantityRange.lowerBound) to \(Payment.quantityRange.upperBound)."
            )
        }
        guard (applicationUsername?.utf8.count ?? 0) <= Payment.applicationUsernameMaximumBytes else {
            throw TillError(
                .invalidArgument,
                "The applicationUsername must be at most \(Payment.applicationUsernameMaximumBytes) bytes."
            )
        }
        guard (requestData?.count ?? 0) <= Payment.attachmentMaximumBytes else {
            throw TillError(.invalidArgument, "The requestData is reserved; leave it unset.")
        }
        try discount?.validate()
    }
}

extension PaymentDiscount {
    fileprivate func validate() throws(TillError) {
        guard Identifier.isValid(identifier), Identifier.isValid(keyIdentifier) else {
            throw TillError(
                .invalidArgument,
                "The discount's identifiers must be 1 to \(Identifier.maximumBytes) characters of A-Z a-z 0-9 . _ : -"
            )
        }
        guard signature.utf8.count <= Payment.attachmentMaximumBytes else {
            throw TillError(
                .invalidArgument,
                "The discount's signature must be at most \(Payment.attachmentMaximumBytes) bytes."
            )
        }
    }
}
