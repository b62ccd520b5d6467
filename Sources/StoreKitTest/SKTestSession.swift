public import Foundation
import NIOConcurrencyHelpers
import StoreKit
import TillCatalogue
public import TillClient
import TillModel

/// A store of its own for tests, with the products of a `.storekit` file
/// (https://developer.apple.com/documentation/storekittest/sktestsession).
///
/// A session is a whole server in the test's process: on a socket that nobody else can reach, with its own transactions,
/// settings and clock. It starts in milliseconds, and any number of them run at once; none knows of the others. Other than
/// Apple's, sessions do not share an environment. The process has one `SKPaymentQueue`, which follows the session of the
/// test that uses it, until that session is let go of; tests that run at the same time use it within
/// ``withQueue(_:)-(()->Value)``. Code that uses `TillClient` reaches any session by ``client``.
///
/// Every call blocks its caller until what it does is in force and what follows from it by the session's clock is done. It
/// may be made from any thread, also from a task: the server has threads of its own.
public final class SKTestSession: NSObject, Sendable {
    /// The application whose queue a session has when the process's main bundle has no identifier.
    public static let defaultApplication = "StoreKitTest"

    let server: SessionServer
    /// Made when it is first needed.
    private let ownQueue = NIOLockedValueBox<SKPaymentQueue?>(nil)

    /// Makes a store with the products and settings of a file that is found by its name.
    ///
    /// It is looked for in the main bundle, then in the resource bundles next to the test's executable, which SwiftPM
    /// makes of `resources:`, and then in the current directory.
    ///
    /// - Parameter filename: With or without `.storekit`.
    /// - Throws: ``SKTestError/Code/fileNotFound`` that names the places.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: try ConfigurationFile.find(filename))
    }

    /// Makes a store with the products and settings of a file.
    ///
    /// - Throws: ``SKTestError``: `invalidURL` for what is no file's address, `fileNotFound`, or `serviceUnavailable` that
    ///   says why the file cannot be used.
    public convenience init(contentsOf fileURL: URL) throws {
        let own = Bundle.main.bundleIdentifier
        try self.init(contentsOf: fileURL, application: own.flatMap { Identifier.isValid($0) ? $0 : nil })
    }

    /// The same with the queue of another application. Apple's sessions have no such initializer.
    ///
    /// - Parameter application: The bundle identifier; nil for ``defaultApplication``.
    public convenience init(contentsOf fileURL: URL, application: String?) throws {
        try self.init(contentsOf: fileURL, application: application ?? Self.defaultApplication, isFollowed: true)
    }

    /// - Parameter isFollowed: Whether the process's `SKPaymentQueue` follows the session; tests that run beside others
    ///   leave it alone.
    package init(contentsOf fileURL: URL, application: String, isFollowed: Bool) throws {
        server = try SessionServer(try ConfigurationFile.read(fileURL), application: application)
        super.init()
        if isFollowed {
            FollowedSessions.begin(server)
        }
    }

    deinit {
        FollowedSessions.end(server)
        server.abandon()
    }

    /// How code that uses `TillClient` reaches the session: `PaymentQueue(session.client)`. Apple's sessions have no such
    /// property.
    public var client: ClientConfiguration {
        server.configuration
    }

    /// Calls `body`, in which `SKPaymentQueue.default()` and requests that are started are of this session alone, whatever
    /// other tests do at the same time. Apple's sessions have no such method.
    ///
    /// That holds for tasks begun there with `Task { }` or in a group, and for callbacks of the queue; not for detached
    /// tasks and for closures that are given to Dispatch.
    public func withQueue<Value>(_ body: () throws -> Value) rethrows -> Value {
        try SKPaymentQueue.$replacement.withValue(queue, operation: body)
    }

    /// The same for asynchronous work.
    public func withQueue<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await SKPaymentQueue.$replacement.withValue(queue, operation: body)
    }

    /// A queue of the session's own, beside the process's.
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
