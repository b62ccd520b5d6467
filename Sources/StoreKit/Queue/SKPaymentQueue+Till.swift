public import Dispatch
public import Foundation
import NIOConcurrencyHelpers
import TillClient

/// Additions to Apple's queue.
extension SKPaymentQueue {
    /// The dispatch queue that runs the callbacks of observers and delegates, one at a time; the main queue by default.
    ///
    /// A program that never runs the main queue, for example because it waits on a semaphore, must set another queue
    /// before it uses StoreKit. If a callback does not run for five seconds, a warning is written to standard error.
    /// Callbacks that have not started when another queue is set run on the new queue.
    public static var deliveryQueue: DispatchQueue {
        get { CallbackQueue.process.queue }
        set { CallbackQueue.process.queue = newValue }
    }

    /// The application's receipt, a JWS of the account's purchases in this application. On Apple's systems it is at
    /// `Bundle.main.appStoreReceiptURL`.
    ///
    /// It is written when the first observer is added, before purchases and revocations are reported, and by
    /// ``SKReceiptRefreshRequest``. Nil for a user without a home directory and without `TILL_RECEIPT`.
    public static var receiptURL: URL? { current.connection?.receiptURL }

    /// Sets the daemon and the application of ``default()``. Call it before using StoreKit. If it is called later, the
    /// queue switches to the other daemon and keeps its observers.
    ///
    /// - Parameters:
    ///   - socketPath: The daemon's socket; nil for the value of `TILL_SOCKET`, else the user's own daemon if its
    ///     socket exists, else the system's daemon.
    ///   - application: The application's name; nil for the value of `TILL_APPLICATION`, else the main bundle's
    ///     identifier, else the executable's name.
    public static func connect(socketPath: String? = nil, application: String? = nil) {
        process.connection?.connect(
            ClientConfiguration(application: application ?? ApplicationName.current, socketPath: socketPath)
        )
    }

    /// Receives the message of a programming error, for which Apple's queue throws an exception that terminates the
    /// program. If it is nil (the default), the program terminates here too.
    public static var misuseHandler: (@Sendable (_ message: String) -> Void)? {
        get { Misuse.handler.withLockedValue { $0 } }
        set { Misuse.handler.withLockedValue { $0 = newValue } }
    }

    /// The process's queue.
    package static let process = SKPaymentQueue(connection: StoreConnection())

    /// Replaces the process's queue within a task, for tests that run in parallel.
    @TaskLocal package static var replacement: SKPaymentQueue?

    /// The queue that ``default()`` and the requests use.
    package static var current: SKPaymentQueue {
        if let replacement {
            return replacement
        }
        announceUse()
        return process
    }

    /// Called before the program uses the process's queue, so that a test session can claim it.
    package static var useHandler: (@Sendable () -> Void)? {
        get { handler.withLockedValue { $0 } }
        set { handler.withLockedValue { $0 = newValue } }
    }

    private static let handler = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

    static func announceUse() {
        useHandler?()
    }

    /// Calls `body` with ``default()`` set to the queue whose callback it runs.
    static func whileCurrent(_ queue: SKPaymentQueue?, _ body: () -> Void) {
        guard let queue, queue !== process else {
            return body()
        }
        $replacement.withValue(queue, operation: body)
    }
}

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

/// Writes the library's warnings to standard error.
enum StandardError {
    static func write(_ message: String) {
        FileHandle.standardError.write(Data("StoreKit: \(message)\n".utf8))
    }
}
