/// The error of a payment or a restore: StoreKit's code and further details.
public struct PaymentError: Error, Hashable, Sendable {
    public var code: Code
    /// The detailed reason, more specific than the code.
    public var reason: FailureReason
    /// One sentence for people; do not parse it.
    public var message: String
    public var moneyMoved: MoneyMoved
    public var retry: RetrySafety
    /// The provider's own code, if it gave one.
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

/// Whether the same purchase may be retried with a new payment.
public enum RetrySafety: Int, Hashable, Sendable, CaseIterable {
    case never = 0
    case safe = 1
    /// Only after an operator has determined the outcome of the charge.
    case afterReconciliation = 2
}

extension PaymentError {
    /// `SKError.Code`'s raw values (https://developer.apple.com/documentation/storekit/skerror/code). An open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The provider declined, or the reason is unknown. See `providerCode` and `moneyMoved`.
        public static let unknown = Code(rawValue: 0)
        /// The account is not allowed to do this.
        public static let clientInvalid = Code(rawValue: 1)
        /// The user or the user's approver declined. No money moved.
        public static let paymentCancelled = Code(rawValue: 2)
        /// The payment is invalid. No money moved.
        public static let paymentInvalid = Code(rawValue: 3)
        /// The account is not allowed to pay. No money moved.
        public static let paymentNotAllowed = Code(rawValue: 4)
        /// The catalogue has no such product. No money moved.
        public static let storeProductNotAvailable = Code(rawValue: 5)
        /// The provider could not be reached.
        public static let cloudServiceNetworkConnectionFailed = Code(rawValue: 7)
        /// `requestData` is reserved. No money moved.
        public static let unauthorizedRequestData = Code(rawValue: 10)
        /// The product has no offer with this identifier. No money moved.
        public static let invalidOfferIdentifier = Code(rawValue: 11)
        /// The discount's signature is invalid. No money moved.
        public static let invalidSignature = Code(rawValue: 12)
        /// The discount lacks required parameters. No money moved.
        public static let missingOfferParams = Code(rawValue: 13)
        /// The offer's price cannot be used. No money moved.
        public static let invalidOfferPrice = Code(rawValue: 14)
        /// The account is not eligible for the offer. No money moved.
        public static let ineligibleForOffer = Code(rawValue: 18)
    }
}

extension PaymentError.Code: CustomStringConvertible {
    /// The name of the case in `SKError.Code`, or its number if it is unknown here.
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

/// The detailed reason a payment or a restore failed, for programs; more specific than StoreKit's codes.
public enum FailureReason: Int, Hashable, Sendable, CaseIterable {
    case unspecified = 0
    /// The user declined.
    case cancelled = 1
    /// The buyer's approver declined.
    case declined = 2
    /// The deadline passed without an answer.
    case expired = 3
    /// The application withdrew the payment before it was charged.
    case withdrawn = 4
    /// The purchase was interrupted; once the interruption is resolved, another transaction completes it.
    case interrupted = 5
    /// The account is not allowed to pay.
    case notAllowed = 6
    /// The payment is invalid.
    case invalidPayment = 7
    /// The store does not sell the product.
    case productUnavailable = 8
    /// The provider declined the charge.
    case providerDeclined = 9
    /// The outcome of the charge is unknown; an operator must determine it.
    case outcomeUnknown = 10
    /// No authorisation agent was available to ask for the user's consent, and the store refuses such payments.
    case noAgent = 11
    /// The discount's identifier, signature or price is invalid, or the account is not eligible for it.
    case invalidOffer = 12
    /// The simulated store is set to fail payments.
    case simulated = 13
    /// The provider could not be reached.
    case unreachable = 14
    /// The client that began it cancelled it.
    case stopped = 15
}
