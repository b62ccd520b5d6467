import Foundation
import TillModel

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
