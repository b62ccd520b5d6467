import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers
import TTRPC
import TillCatalogue
import TillClient
import TillEngine
import TillModel
import TillService

/// What a daemon is, in this process: an engine with a ledger in memory, on a socket of its own.
final class SessionServer: Sendable {
    /// Who does what a session is told to, in the ledger's books.
    static let identity = OperatorIdentity(uid: geteuid(), reason: "SKTestSession")

    /// The engine at work on the ledger, and the server in front of it.
    struct Run: Sendable {
        var engine: PaymentEngine
        var engineTask: ServerThread.Work
        var serverTask: ServerThread.Work
        /// Keeps the downloader; nil where nothing is hosted.
        var downloaderTask: ServerThread.Work?
    }

    struct State {
        var ledger = MemoryLedger()
        /// Nil while the server is killed.
        var run: Run?
    }

    let application: String
    let catalogue: SessionCatalogue
    let provider: FaultyProvider
    let thread: ServerThread
    let time: AdjustableTime
    let endpoint: PrivateSocket
    let state = NIOLockedValueBox(State())
    /// Calls of a session take turns. Held while a caller is blocked; the server's thread never asks for it.
    private let turns = NIOLock()

    /// Listens when it returns.
    init(_ catalogue: StoreKitCatalogue, application: String) throws(SKTestError) {
        self.application = application
        self.catalogue = SessionCatalogue(file: catalogue)
        thread = .next()
        time = AdjustableTime(LoopTime(loop: thread.loop))
        provider = FaultyProvider(time: time)
        endpoint = PrivateSocket(path: try SocketDirectory.newPath())
        try begin()
    }

    /// How clients reach it.
    var configuration: ClientConfiguration {
        ClientConfiguration(application: application, socketPath: endpoint.path)
    }

    /// The file of the application's receipt.
    var receiptPath: String {
        "\(endpoint.path).receipt"
    }

    /// The queue of the session's application.
    var queue: QueueName {
        QueueName(application: application, account: "uid:\(geteuid())")
    }

    /// Blocks until `body` is done with the engine.
    ///
    /// - Throws: `serviceUnavailable` while the server is killed.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentEngine) async throws -> Value
    ) throws(SKTestError) -> Value {
        try inTurn { () throws(SKTestError) in
            guard let engine else {
                throw SKTestError(.serviceUnavailable, "The session's server was killed; restart it first.")
            }
            return try wait { try await body(engine) }
        }
    }

    /// The same, and until everything that is due by then is done; what a fault keeps waiting is not waited for.
    func performAndSettle<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentEngine) async throws -> Value
    ) throws(SKTestError) -> Value {
        try perform { [provider] engine in
            let value = try await body(engine)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await engine.settleDue() }
                group.addTask { await provider.sleeping.waitForOne() }
                await group.next()
                group.cancelAll()
            }
            return value
        }
    }

    /// How transactions are identified, also while the server is killed.
    var numbering: IdentifierNumbering {
        state.withLockedValue { $0.ledger.numbering.transactions }
    }

    /// Blocks until `body` has read the ledger, also while the server is killed.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any LedgerReader) throws -> Value
    ) throws(SKTestError) -> Value {
        let ledger = state.withLockedValue { $0.ledger }
        return try wait { try await ledger.read(body) }
    }

    /// Nil while the server is killed.
    var engine: PaymentEngine? {
        state.withLockedValue { $0.run?.engine }
    }

    func inTurn<Value>(_ body: () throws(SKTestError) -> Value) throws(SKTestError) -> Value {
        turns.lock()
        defer { turns.unlock() }
        return try body()
    }

    func wait<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws(SKTestError) -> Value {
        do {
            return try thread.wait(body)
        } catch {
            throw SKTestError(error)
        }
    }
}
