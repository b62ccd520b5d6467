public import Dispatch
public import Foundation
import NIOConcurrencyHelpers
import TillClient

/// What Apple's queue has no need of.
extension SKPaymentQueue {
    /// Where callbacks of observers and delegates come, one at a time: the main queue unless a program sets another.
    ///
    /// A program that never runs the main queue, for example one that waits on a semaphore, has to set another before it
    /// uses StoreKit. A callback that nobody runs for five seconds is warned of on standard error. What has not begun when
    /// another queue is set comes there.
    public static var deliveryQueue: DispatchQueue {
        get { Delivery.process.queue }
        set { Delivery.process.queue = newValue }
    }

    /// The file of the application's receipt, which Apple's systems have at `Bundle.main.appStoreReceiptURL`: a JWS of the
    /// account's purchases in this application.
    ///
    /// It is written when the queue is first followed, before purchases and revocations are told, and by
    /// ``SKReceiptRefreshRequest``. Nil for a user without a home and without `TILL_RECEIPT`.
    public static var receiptURL: URL? { current.connection?.receiptURL }

    /// Names the daemon and the application of ``default()``; to be called before StoreKit is used. Called later, the
    /// queue begins anew with the other daemon and keeps its observers.
    ///
    /// - Parameters:
    ///   - socketPath: The daemon's socket; nil for the one that `TILL_SOCKET` names, else the user's own daemon's if it is
    ///     there, else the system's.
    ///   - application: Nil for what `TILL_APPLICATION` names, else the main bundle's identifier, else the executable's name.
    public static func connect(socketPath: String? = nil, application: String? = nil) {
        process.connection?.connect(
            ClientConfiguration(application: application ?? ApplicationName.current, socketPath: socketPath)
        )
    }

    /// Takes the message of a fault of the program, for which Apple's queue throws an exception that ends the program. Nil,
    /// as it is at first, ends it here too.
    public static var misuseHandler: (@Sendable (_ message: String) -> Void)? {
        get { Misuse.handler.withLockedValue { $0 } }
        set { Misuse.handler.withLockedValue { $0 = newValue } }
    }

    /// The process's own.
    package static let process = SKPaymentQueue(connection: StoreConnection())

    /// Takes the process's place for what is called within, for tests that run beside each other.
    @TaskLocal package static var replacement: SKPaymentQueue?

    /// What ``default()`` and the requests use.
    package static var current: SKPaymentQueue {
        if let replacement {
            return replacement
        }
        announceUse()
        return process
    }

    /// Called before a program uses the process's queue, so that a test's session can claim it.
    package static var useHandler: (@Sendable () -> Void)? {
        get { handler.withLockedValue { $0 } }
        set { handler.withLockedValue { $0 = newValue } }
    }

    private static let handler = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

    static func announceUse() {
        useHandler?()
    }

    /// Calls `body`, in which ``default()`` is the queue whose callback it makes.
    static func whileCurrent(_ queue: SKPaymentQueue?, _ body: () -> Void) {
        guard let queue, queue !== process else {
            return body()
        }
        $replacement.withValue(queue, operation: body)
    }
}
