import Foundation
import TillModel

extension TillError {
    /// What a program is told of a call that failed: the network's fault as a `URLError`, all else as an ``SKError``.
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

    /// Why a payment fails that the daemon does not take; nil where the same may be taken later.
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
