import Foundation
import TillModel

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
