import NIOConcurrencyHelpers
import TillModel
import TillSQL

/// The connections of a ledger's readers. Each read borrows one, and waits for its turn while all are lent.
final class ReaderPool: Sendable {
    /// With the one that commits, and those of ``CommitNotices`` and ``PostgresSimulatedStore`` if hosts share the ledger, a daemon
    /// has at most seven connections.
    static let count = 4

    /// A thread for blocking calls, with a connection from its first use on, and again after that is lost.
    private final class Reader: Sendable {
        let thread = LedgerThread(label: "till.ledger.reader")
        let connection = NIOLockedValueBox<PostgresConnection?>(nil)
    }

    private struct State {
        var free: [Reader]
        var waiting: [CheckedContinuation<Reader, Never>] = []
        /// How many were made so far.
        var connectionCount = 0
        var isClosed = false
        /// Whether reads no longer wait for the server, because one has waited long enough.
        var hasGivenUp = false
    }

    private let patience: Duration
    private let connect: @Sendable () throws -> PostgresConnection
    private let state: NIOLockedValueBox<State>

    /// - Parameters:
    ///   - count: How many connections are made at most.
    ///   - patience: For how long a read waits for a server that cannot be reached.
    ///   - connect: Makes a connection; it may block.
    init(
        count: Int = ReaderPool.count,
        patience: Duration,
        connect: @escaping @Sendable () throws -> PostgresConnection
    ) {
        self.patience = patience
        self.connect = connect
        state = NIOLockedValueBox(State(free: (0..<count).map { _ in Reader() }))
    }

    /// Runs `body` with a connection, on a thread that it may block; again with another one if that is lost. Once one read has
    /// waited without success, the others do not.
    ///
    /// - Throws: The error of `body`; ``PostgresConnectionLost`` when the server stays away.
    func read<Value: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> Value) async throws -> Value {
        let reader = await borrow()
        defer { giveBack(reader) }
        return try await withTaskExecutorPreference(reader.thread) {
            try self.use(reader, body)
        }
    }

    /// How many connections were made so far. A server that fails ends all of them, so the next read makes one more.
    var connectionCount: Int {
        state.withLockedValue(\.connectionCount)
    }

    /// Lets reads fail at their next attempt, until one of them reaches the server.
    func giveUp() {
        state.withLockedValue { $0.hasGivenUp = true }
    }

    /// Ends the connections, those that are lent when they come back.
    func close() {
        let free = state.withLockedValue { state in
            state.isClosed = true
            return state.free
        }
        free.forEach { $0.connection.withLockedValue { $0 = nil } }
    }

    private func use<Value>(_ reader: Reader, _ body: (PostgresConnection) throws -> Value) throws -> Value {
        let patience = Patience(patience)
        while true {
            do {
                return try attempt(reader, body)
            } catch let lost as PostgresConnectionLost {
                guard !state.withLockedValue(\.hasGivenUp), patience.pause() else {
                    giveUp()
                    throw lost
                }
            }
        }
    }

    private func attempt<Value>(_ reader: Reader, _ body: (PostgresConnection) throws -> Value) throws -> Value {
        let connection = try reader.connection.withLockedValue { $0 } ?? connectAgain()
        defer { reader.connection.withLockedValue { $0 = connection.isLost ? nil : connection } }
        return try body(connection)
    }

    private func connectAgain() throws -> PostgresConnection {
        do {
            let connection = try connect()
            state.withLockedValue { state in
                state.hasGivenUp = false
                state.connectionCount += 1
            }
            return connection
        } catch let error as TillError where error.code == .unavailable {
            throw PostgresConnectionLost(reason: error.message)
        }
    }

    private func borrow() async -> Reader {
        await withCheckedContinuation { continuation in
            let free = state.withLockedValue { state in
                guard let reader = state.free.popLast() else {
                    state.waiting.append(continuation)
                    return nil as Reader?
                }
                return reader
            }
            if let free {
                continuation.resume(returning: free)
            }
        }
    }

    private func giveBack(_ reader: Reader) {
        let (next, isClosed) = state.withLockedValue { state in
            guard !state.waiting.isEmpty else {
                state.free.append(reader)
                return (nil as CheckedContinuation<Reader, Never>?, state.isClosed)
            }
            return (state.waiting.removeFirst(), false)
        }
        if isClosed {
            reader.connection.withLockedValue { $0 = nil }
        }
        next?.resume(returning: reader)
    }
}
