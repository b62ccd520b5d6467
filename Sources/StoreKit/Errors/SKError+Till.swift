import Foundation
import TillModel

/// The keys in the `userInfo` of an ``SKError`` beyond Apple's. Each value is a `String`.
public enum SKTillErrorKey {
    /// The detailed reason: `cancelled`, `declined`, `expired`, `withdrawn`, `interrupted`, `notAllowed`,
    /// `invalidPayment`, `productUnavailable`, `providerDeclined`, `outcomeUnknown`, `noAgent`, `invalidOffer`,
    /// `simulated`, `unreachable`, `stopped` or `unspecified`.
    public static let reason = "SKTillReason"
    /// Whether the account was charged: `no`, `yes` or `unknown`.
    public static let moneyMoved = "SKTillMoneyMoved"
    /// Whether the same purchase may be retried with a new payment: `safe`, `never` or `afterReconciliation`.
    public static let retry = "SKTillRetry"
    /// The payment provider's own code, if it gave one.
    public static let providerCode = "SKTillProviderCode"
}

extension SKError {
    /// Creates the error of a payment or a restore, with all details from the daemon.
    init(_ error: PaymentError) {
        var userInfo = [
            NSLocalizedDescriptionKey: error.message,
            SKTillErrorKey.reason: "\(error.reason)",
            SKTillErrorKey.moneyMoved: "\(error.moneyMoved)",
            SKTillErrorKey.retry: "\(error.retry)",
        ]
        userInfo[SKTillErrorKey.providerCode] = error.providerCode
        self.init(_nsError: NSError(domain: SKErrorDomain, code: error.code.rawValue, userInfo: userInfo))
    }
}

extension TillError {
    /// The error for the application: a `URLError` for a connection failure, otherwise an ``SKError``.
    var asStoreKit: any Error {
        let userInfo = [NSLocalizedDescriptionKey: message]
        return switch code {
        case .unavailable: URLError(.cannotConnectToHost, userInfo: userInfo)
        case .deadlineExceeded: URLError(.timedOut, userInfo: userInfo)
        case .cancelled: URLError(.cancelled, userInfo: userInfo)
        case .permissionDenied: SKError(.clientInvalid, userInfo: userInfo)
        default: SKError(.unknown, userInfo: userInfo)
        }
    }

    /// The error of a payment that the daemon rejects; nil if the same payment may be accepted later.
    func rejection(of payment: Payment) -> PaymentError? {
        switch code {
        case .invalidArgument where payment.requestData != nil:
            PaymentError(.unauthorizedRequestData, message, reason: .invalidPayment)
        case .invalidArgument, .alreadyExists, .failedPrecondition, .notFound:
            PaymentError(.paymentInvalid, message, reason: .invalidPayment)
        case .permissionDenied, .unimplemented:
            PaymentError(.paymentNotAllowed, message, retry: .never, reason: .notAllowed)
        default:
            nil
        }
    }
}

extension PaymentError {
    /// The error of a purchase that the delegate refused to continue in another storefront.
    static let otherStorefront = PaymentError(
        .storeProductNotAvailable,
        "The storefront changed and the application did not continue the purchase.",
        reason: .withdrawn
    )
}
