import Foundation
import NIOConcurrencyHelpers

/// Programming errors for which Apple's StoreKit throws an exception.
enum Misuse {
    typealias Handler = @Sendable (String) -> Void

    static let handler = NIOLockedValueBox<Handler?>(nil)

    /// Terminates the process, as an uncaught exception would, unless a handler is set; then passes the message to the
    /// handler.
    static func report(_ message: String) {
        if let handler = handler.withLockedValue({ $0 }) {
            handler(message)
            return
        }
        StandardError.write(message)
        preconditionFailure(message)
    }
}
