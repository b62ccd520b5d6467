import CPostgreSQL
import Glibc
import Logging
import NIOConcurrencyHelpers
import TillModel
import TillSQL

/// Tells the daemons of other hosts that this one has committed, and learns from them that they have, by PostgreSQL's
/// notifications (https://www.postgresql.org/docs/15/sql-notify.html).
///
/// A notice is sent after the commit and not with it: within it, all commits of the server would wait for each other. So a host
/// that dies in between has sent none. Notices are hints, which only shorten the wait until hosts look by themselves.
// Sendable: the connection is the thread's alone, and the rest is behind a lock.
final class CommitNotices: @unchecked Sendable {
    private static let channel = "till_commits"
    /// Between two attempts to listen.
    private static let pauseMicroseconds: useconds_t = 1_000_000
    /// Between two notices of one host, which hold for all its commits in the meantime.
    static let spacing = Duration.milliseconds(2)

    private struct State {
        var isSending = false
        /// Whether there were commits after the notice that is being sent.
        var isOutdated = false
        var isArriving = false
        var isClosed = false
        /// The socket on which the thread waits; nil while it does not.
        var socket: CInt?
        var wake: @Sendable () -> Void = {}
    }

    /// What a notice says: the ledger, and the host that committed.
    private let ledger: String
    private let notice: String
    private let connect: @Sendable () throws -> PostgresConnection
    private let readers: ReaderPool
    private let thread = LedgerThread(label: "till.ledger.notices")
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - schema: The schema that has the ledger's tables.
    ///   - host: This host's name.
    ///   - readers: Connections for the notices of this host.
    ///   - connect: Makes the connection that listens; it may block.
    init(
        schema: String,
        host: String,
        readers: ReaderPool,
        connect: @escaping @Sendable () throws -> PostgresConnection
    ) {
        ledger = "\(schema)/"
        notice = "\(schema)/\(host)"
        self.readers = readers
        self.connect = connect
    }

    /// Whether notices arrive: one has, since the connection was made. A pooler in between, for example, passes none on.
    var areArriving: Bool {
        state.withLockedValue(\.isArriving)
    }

    /// Listens until ``close()``, and calls `wake` for each notice of another host.
    func listen(_ wake: @escaping @Sendable () -> Void) {
        state.withLockedValue { $0.wake = wake }
        Task(executorPreference: thread) {
            // Blocks the thread, which exists for that.
            while !self.isClosed {
                self.listenOnce()
            }
        }
    }

    func close() {
        let socket = state.withLockedValue { state in
            state.isClosed = true
            return state.socket
        }
        if let socket {
            // Ends the thread's wait.
            _ = shutdown(socket, CInt(SHUT_RDWR))
        }
    }

    /// Sends a notice soon, which holds for all commits before it.
    func announce() {
        let begins = state.withLockedValue { state in
            guard !state.isSending, !state.isClosed else {
                state.isOutdated = true
                return false
            }
            state.isSending = true
            return true
        }
        if begins {
            Task { await send() }
        }
    }

    private func send() async {
        repeat {
            // A notice that is not sent is only late: hosts look by themselves.
            _ = try? await readers.read { connection in
                try connection.run("SELECT pg_notify(?1, ?2)", [SQLValue(Self.channel), SQLValue(self.notice)]) { _ in }
            }
            try? await Task.sleep(for: Self.spacing)
        } while state.withLockedValue { state in
            state.isSending = state.isOutdated && !state.isClosed
            state.isOutdated = false
            return state.isSending
        }
    }

    private var isClosed: Bool {
        state.withLockedValue(\.isClosed)
    }

    /// Listens until the connection is lost.
    private func listenOnce() {
        guard let connection = try? connect(), (try? connection.execute("LISTEN \(Self.channel)")) != nil else {
            _ = usleep(Self.pauseMicroseconds)
            return
        }
        // This host's own notice shows that notices arrive, and commits until now had none.
        announce()
        let wake = state.withLockedValue { state in
            state.socket = state.isClosed ? nil : connection.socket
            return state.wake
        }
        wake()
        while !isClosed, let notices = connection.waitForNotices() {
            let ofLedger = notices.filter { $0.hasPrefix(ledger) }
            if !ofLedger.isEmpty {
                state.withLockedValue { $0.isArriving = true }
            }
            if ofLedger.contains(where: { $0 != notice }) {
                wake()
            }
        }
        state.withLockedValue { state in
            state.socket = nil
            state.isArriving = false
        }
        connection.close()
    }
}
