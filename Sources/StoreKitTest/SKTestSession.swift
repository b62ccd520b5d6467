public import Foundation
import NIOConcurrencyHelpers
@_exported public import StoreKit
import TillCatalogue
public import TillClient
import TillModel

/// A separate store for tests, with the products of a `.storekit` file
/// (https://developer.apple.com/documentation/storekittest/sktestsession).
///
/// A session is a complete server in the test's process, on a socket that no other user can reach, with its own
/// transactions, settings and clock. It starts in milliseconds, and any number of sessions can run concurrently,
/// isolated from each other. Unlike Apple's, sessions do not share an environment. The process has one
/// `SKPaymentQueue`, which follows the session of the test that uses it until that session is released; tests that run
/// in parallel use it within `withQueue(_:)`. Code that uses `TillClient` reaches any session through
/// ``client``.
///
/// Every call blocks its caller until it has taken effect and its consequences by the session's clock are done. It may
/// be made from any thread, including from a task, because the server has its own threads.
public final class SKTestSession: NSObject, Sendable {
    /// The session's application if the process's main bundle has no identifier.
    public static let defaultApplication = "StoreKitTest"

    let server: SessionServer
    /// Created on first use.
    private let ownQueue = NIOLockedValueBox<SKPaymentQueue?>(nil)

    /// Creates a store with the products and settings of a file that is found by its name.
    ///
    /// The file is searched in the main bundle, then in the resource bundles next to the test's executable, which
    /// SwiftPM creates from `resources:`, and then in the current directory.
    ///
    /// - Parameter filename: The file's name, with or without `.storekit`.
    /// - Throws: ``SKTestError/Code/fileNotFound`` with the searched locations.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: try SessionFile.find(filename))
    }

    /// Creates a store with the products and settings of a file.
    ///
    /// - Throws: ``SKTestError``: `invalidURL` if the URL is not a file URL, `fileNotFound`, or `serviceUnavailable`
    ///   with the reason why the file cannot be used.
    public convenience init(contentsOf fileURL: URL) throws {
        let own = Bundle.main.bundleIdentifier
        try self.init(contentsOf: fileURL, application: own.flatMap { Identifier.isValid($0) ? $0 : nil })
    }

    /// Creates a store for another application. Apple's sessions have no such initialiser.
    ///
    /// - Parameters:
    ///   - fileURL: The `.storekit` file.
    ///   - application: The bundle identifier; nil for ``defaultApplication``.
    public convenience init(contentsOf fileURL: URL, application: String?) throws {
        try self.init(contentsOf: fileURL, application: application ?? Self.defaultApplication, isFollowed: true)
    }

    /// - Parameter isFollowed: Whether the process's `SKPaymentQueue` may follow the session; false for tests that run
    ///   in parallel with others.
    package init(contentsOf fileURL: URL, application: String, isFollowed: Bool) throws {
        server = try SessionServer(try SessionFile.read(fileURL), application: application)
        super.init()
        if isFollowed {
            FollowedSessions.begin(server)
        }
    }

    deinit {
        FollowedSessions.end(server)
        server.abandon()
    }

    /// The configuration with which code that uses `TillClient` reaches the session: `PaymentQueue(session.client)`.
    /// Apple's sessions have no such property.
    public var client: ClientConfiguration {
        server.configuration
    }

    /// Calls `body` with `SKPaymentQueue.default()` and new requests bound to this session, regardless of other tests
    /// that run in parallel. Apple's sessions have no such method.
    ///
    /// This includes tasks that `body` starts with `Task { }` or in a group, and callbacks of the queue, but not
    /// detached tasks and closures passed to Dispatch.
    public func withQueue<Value>(_ body: () throws -> Value) rethrows -> Value {
        try SKPaymentQueue.$replacement.withValue(queue, operation: body)
    }

    /// Calls an asynchronous `body` with `SKPaymentQueue.default()` and new requests bound to this session.
    public func withQueue<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await SKPaymentQueue.$replacement.withValue(queue, operation: body)
    }

    /// The session's own queue, in addition to the process's.
    private var queue: SKPaymentQueue {
        ownQueue.withLockedValue { own in
            if let own {
                return own
            }
            let queue = SKPaymentQueue(
                connection: StoreConnection(server.configuration, receiptPath: server.receiptPath)
            )
            own = queue
            return queue
        }
    }
}
