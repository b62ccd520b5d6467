/// Why a payment or a restore failed: StoreKit's code, and what StoreKit does not say.
public struct PaymentError: Error, Hashable, Sendable {
    public var code: Code
    /// The same for programs that want to know more.
    public var reason: FailureReason
    /// One sentence for people; nobody parses it.
    public var message: String
    public var moneyMoved: MoneyMoved
    public var retry: RetrySafety
    /// The provider's own code, when it gave one.
    public var providerCode: String?

    public init(
        _ code: Code,
        _ message: String,
        moneyMoved: MoneyMoved = .no,
        retry: RetrySafety = .safe,
        reason: FailureReason = .unspecified,
        providerCode: String? = nil
    ) {
        self.code = code
        self.reason = reason
        self.message = message
        self.moneyMoved = moneyMoved
        self.retry = retry
        self.providerCode = providerCode
    }
}

/// Whether the account was charged.
public enum MoneyMoved: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case no = 1
    case yes = 2
}

/// Whether the same purchase may be tried again with a new payment.
public enum RetrySafety: Int, Hashable, Sendable, CaseIterable {
    case never = 0
    case safe = 1
    /// Only after an operator has found out what the provider did.
    case afterReconciliation = 2
}

extension PaymentError {
    /// `SKError.Code`'s raw values (https://developer.apple.com/documentation/storekit/skerror/code). An open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The provider declined, or nobody knows why. `providerCode` and `moneyMoved` say more.
        public static let unknown = Code(rawValue: 0)
        /// The account may not do this.
        public static let clientInvalid = Code(rawValue: 1)
        /// The user, or who approves for them, said no. No money moved.
        public static let paymentCancelled = Code(rawValue: 2)
        /// The payment itself is wrong. No money moved.
        public static let paymentInvalid = Code(rawValue: 3)
        /// The account may not pay. No money moved.
        public static let paymentNotAllowed = Code(rawValue: 4)
        /// The catalogue has no such product. No money moved.
        public static let storeProductNotAvailable = Code(rawValue: 5)
        /// The provider could not be reached.
        public static let cloudServiceNetworkConnectionFailed = Code(rawValue: 7)
        /// `requestData` is reserved. No money moved.
        public static let unauthorizedRequestData = Code(rawValue: 10)
        /// The product has no offer of that identifier. No money moved.
        public static let invalidOfferIdentifier = Code(rawValue: 11)
        /// The discount's signature does not belong to it. No money moved.
        public static let invalidSignature = Code(rawValue: 12)
        /// The discount lacks what an offer needs. No money moved.
        public static let missingOfferParams = Code(rawValue: 13)
        /// The offer's price cannot be used. No money moved.
        public static let invalidOfferPrice = Code(rawValue: 14)
        /// The account may not have the offer. No money moved.
        public static let ineligibleForOffer = Code(rawValue: 18)
    }
}

extension PaymentError.Code: CustomStringConvertible {
    /// The name of the case in `SKError.Code`, or its number when it has none here.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .clientInvalid: "clientInvalid"
        case .paymentCancelled: "paymentCancelled"
        case .paymentInvalid: "paymentInvalid"
        case .paymentNotAllowed: "paymentNotAllowed"
        case .storeProductNotAvailable: "storeProductNotAvailable"
        case .cloudServiceNetworkConnectionFailed: "cloudServiceNetworkConnectionFailed"
        case .unauthorizedRequestData: "unauthorizedRequestData"
        case .invalidOfferIdentifier: "invalidOfferIdentifier"
        case .invalidSignature: "invalidSignature"
        case .missingOfferParams: "missingOfferParams"
        case .invalidOfferPrice: "invalidOfferPrice"
        case .ineligibleForOffer: "ineligibleForOffer"
        default: "code\(rawValue)"
        }
    }
}
