import Foundation
import NIOConcurrencyHelpers

/// What Apple answers with an exception.
enum Misuse {
    typealias Handler = @Sendable (String) -> Void

    static let handler = NIOLockedValueBox<Handler?>(nil)

    /// Ends the process, as an exception that nobody catches would, unless a handler takes the message instead.
    static func report(_ message: String) {
        if let handler = handler.withLockedValue({ $0 }) {
            handler(message)
            return
        }
        StandardError.write(message)
        preconditionFailure(message)
    }
}
