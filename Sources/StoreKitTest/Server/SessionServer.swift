import Foundation
import Glibc
import Logging
import NIOConcurrencyHelpers
import TillCatalogue
import TillClient
import TillEngine
import TillModel
import TillSQLite
import TillService
import TTRPC

/// The in-process equivalent of a daemon: an engine with a ledger in memory, served on its own socket.
final class SessionServer: Sendable {
    /// The operator in the ledger's records of the session's actions.
    static let identity = OperatorIdentity(uid: geteuid(), reason: "SKTestSession")

    /// The running engine and its server.
    struct Run: Sendable {
        var engine: PaymentEngine
        var engineTask: ServerThread.Work
        var serverTask: ServerThread.Work
        /// Runs the downloader; nil if no content is hosted.
    }

    struct State {
        var ledger: SQLiteLedger
        /// Nil while the server is killed.
        var run: Run?
    }

    let application: String
    let catalogue: SessionCatalogue
    let provider: FaultyProvider
    let thread: ServerThread
    let time: AdjustableTime
    let endpoint: PrivateSocket
    let state: NIOLockedValueBox<State>
    /// Serialises the session's calls. It is held while a caller is blocked; the server's thread never acquires it.
    private let callLock = NIOLock()

    /// Creates a server that is listening when this returns.
    init(_ catalogue: StoreKitCatalogue, application: String) throws(SKTestError) {
        self.application = application
        self.catalogue = SessionCatalogue(file: catalogue)
        thread = .next()
        time = AdjustableTime(LoopTime(loop: thread.loop))
        provider = FaultyProvider(time: time)
        endpoint = PrivateSocket(path: try SocketDirectory.newPath())
        do {
            state = NIOLockedValueBox(State(ledger: try .inMemory()))
        } catch {
            throw SKTestError(error)
        }
        try begin()
    }

    /// The configuration with which clients reach the server.
    var configuration: ClientConfiguration {
        ClientConfiguration(application: application, socketPath: endpoint.path)
    }

    /// The file of the application's receipt.
    var receiptPath: String {
        "\(endpoint.path).receipt"
    }

    /// The queue of the session's application.
    var queue: QueueName {
        QueueName(application: application, account: String(user: geteuid(), host: nil))
    }

    /// Blocks until `body` has run with the engine.
    ///
    /// - Throws: `serviceUnavailable` while the server is killed.
    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (PaymentEngine) async throws -> Value
    ) throws(SKTestError) -> Value {
        try exclusively { () throws(SKTestError) in
            guard let engine else {
                throw SKTestError(.serviceUnavailable, "The session's server was killed; restart it first.")
            }
            return try wait { try await body(engine) }
        }
    }

    /// Blocks until `body` has run with the engine and everything that is due is done, except calls that a fault
    /// delays.
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

    /// The numbering of transactions; available even if the server is killed.
    var numbering: IdentifierNumbering {
        state.withLockedValue { $0.ledger.numbering.transactions }
    }

    /// Blocks until `body` has read the ledger; works even if the server is killed.
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

    func exclusively<Value>(_ body: () throws(SKTestError) -> Value) throws(SKTestError) -> Value {
        callLock.lock()
        defer { callLock.unlock() }
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

extension SessionServer {
    /// Returns the store's current settings.
    func settings() throws(SKTestError) -> StoreSettings {
        if let engine {
            return engine.settingsBox.withLockedValue { $0 }
        }
        let table = try read { try $0.settings() }
        var settings = catalogue.settings
        for (name, value) in table {
            if let key = StoreSettings.Key(rawValue: name) {
                try? settings.set(key, to: value)
            }
        }
        return settings
    }

    /// Changes settings, which take effect before it returns, or at the restart if the server is killed.
    ///
    /// - Parameter resetAll: Whether to reset all settings to the file's values first.
    func change(_ changes: [StoreSettings.Key: String], resetAll: Bool = false) throws(SKTestError) {
        let named = Dictionary(uniqueKeysWithValues: changes.map { ($0.key.rawValue, Optional($0.value)) })
        try exclusively { () throws(SKTestError) in
            if let engine {
                try wait { _ = try await engine.changeSettings(named, resetAll: resetAll, by: Self.identity) }
            } else {
                try store(changes, resetAll: resetAll)
            }
        }
    }

    /// Changes the settings in the ledger, for the next server.
    private func store(_ changes: [StoreSettings.Key: String], resetAll: Bool) throws(SKTestError) {
        let ledger = state.withLockedValue { $0.ledger }
        try wait { [defaults = catalogue.settings] in
            var settings = defaults
            for (key, value) in changes {
                try settings.set(key, to: value)
            }
            try await ledger.commit { ledger in
                for key in StoreSettings.Key.allCases {
                    if let value = changes[key] {
                        try ledger.setSetting(key.rawValue, to: value)
                    } else if resetAll {
                        try ledger.setSetting(key.rawValue, to: nil)
                    }
                }
            }
        }
    }
}
