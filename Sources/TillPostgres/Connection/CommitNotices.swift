import Glibc
import NIOConcurrencyHelpers
import TillSQL

/// Tells the daemons of other hosts that this one has committed, and learns from them that they have, by PostgreSQL's
/// notifications (https://www.postgresql.org/docs/15/sql-notify.html).
///
/// A notice is sent after the commit and not with it: within it, all commits of the server would wait for each other. So a host
/// that dies in between has sent none. Notices are hints, which only shorten the wait until hosts look by themselves. Each
/// names the queues that have changed, so that hosts without an observer of them do not look.
final class CommitNotices: Sendable {
    static let channel = "till_commits"
    /// Between two notices of one host, which hold for all its commits in the meantime.
    static let spacing = Duration.milliseconds(2)
    /// Between two attempts to listen.
    private static let pauseMicroseconds: useconds_t = 1_000_000

    /// A notice of changes in more queues names none. PostgreSQL takes notices of up to 8,000 bytes.
    static let queuesMaximum = 64

    private struct State {
        /// The queues that the next notice names; nil for a notice that concerns everyone.
        var queues: Set<Int64>? = []
        var areArriving = false
        var isEnded = false
        /// The socket on which the thread waits; nil while it does not.
        var socket: CInt?
    }

    /// The ledger and the host, as each notice says.
    private let ledger: String
    private let sender: String
    private let connect: @Sendable () throws -> PostgresConnection
    private let readers: ReaderPool
    private let thread = LedgerThread(label: "till.ledger.notices")
    private let state = NIOLockedValueBox(State())
    /// An element for commits that no notice was sent for yet.
    private let commits: AsyncStream<Void>
    private let commit: AsyncStream<Void>.Continuation

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
        ledger = HostIdentity.qualified("", in: schema)
        sender = HostIdentity.qualified(host, in: schema)
        self.readers = readers
        self.connect = connect
        (commits, commit) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether notices arrive: one has, since the connection was made. A pooler in between, for example, passes none on.
    var areArriving: Bool {
        state.withLockedValue(\.areArriving)
    }

    /// Has a notice sent soon, which holds for all commits before it.
    ///
    /// - Parameter queues: The keys of the queues that have changed; nil if more has.
    func announce(_ queues: Set<Int64>?) {
        state.withLockedValue { state in
            state.queues = queues.flatMap { state.queues?.union($0) }
        }
        commit.yield()
    }

    /// Sends notices of this host and calls `wake` for those of others, until its task is cancelled. It runs once.
    ///
    /// - Parameter isConcerned: Whether a notice of these queues is to wake this host; nil if it is not known which have changed.
    func run(if isConcerned: @escaping @Sendable ([Int64]?) -> Bool, _ wake: @escaping @Sendable () -> Void) async {
        await withTaskCancellationHandler {
            async let sending: Void = send()
            await listen { queues in
                if isConcerned(queues) {
                    wake()
                }
            }
            await sending
        } onCancel: {
            let socket = state.withLockedValue { state in
                state.isEnded = true
                return state.socket
            }
            if let socket {
                // Ends the thread's wait.
                _ = shutdown(socket, CInt(SHUT_RDWR))
            }
        }
    }

    private func send() async {
        for await _ in commits {
            let queues = state.withLockedValue { state in
                defer { state.queues = [] }
                return state.queues
            }
            let notice = "\(sender) \(Self.list(queues))"
            // A notice that is not sent is only late: hosts look by themselves.
            _ = try? await readers.read { connection in
                try connection.run("SELECT pg_notify(?1, ?2)", [SQLValue(Self.channel), SQLValue(notice)]) { _ in }
            }
            try? await Task.sleep(for: Self.spacing)
        }
    }

    /// The keys of queues as a notice has them; `*` for too many, and for a notice that concerns everyone.
    private static func list(_ queues: Set<Int64>?) -> String {
        guard let queues, queues.count <= queuesMaximum else {
            return "*"
        }
        return queues.map(String.init).joined(separator: ",")
    }

    /// Who sent a notice, and which queues it names; nil if it names none, as those of older versions.
    private static func parts(_ notice: String) -> (sender: Substring, queues: [Int64]?) {
        guard let end = notice.lastIndex(of: " ") else {
            return (notice[...], nil)
        }
        let list = notice[notice.index(after: end)...].split(separator: ",")
        let queues = list.compactMap { Int64($0) }
        return (notice[..<end], queues.count == list.count ? queues : nil)
    }

    private func listen(_ wake: @escaping @Sendable (_ queues: [Int64]?) -> Void) async {
        await withTaskExecutorPreference(thread) {
            // Blocks this thread, which exists for that.
            while !self.isEnded {
                self.listenOnce(wake)
            }
        }
    }

    private var isEnded: Bool {
        state.withLockedValue(\.isEnded)
    }

    /// Listens until the connection is lost.
    private func listenOnce(_ wake: ([Int64]?) -> Void) {
        guard let connection = try? connect(), (try? connection.execute("LISTEN \(Self.channel)")) != nil else {
            _ = usleep(Self.pauseMicroseconds)
            return
        }
        state.withLockedValue { $0.socket = $0.isEnded ? nil : connection.socket }
        // This host's own notice shows that notices arrive. Nobody has told this host of commits until now.
        announce([])
        wake(nil)
        while !isEnded, let notices = connection.waitForNotices() {
            let ofLedger = notices.filter { $0.hasPrefix(ledger) }.map(Self.parts)
            if !ofLedger.isEmpty {
                state.withLockedValue { $0.areArriving = true }
            }
            for notice in ofLedger where notice.sender != sender {
                wake(notice.queues)
            }
        }
        state.withLockedValue { state in
            state.socket = nil
            state.areArriving = false
        }
        connection.close()
    }
}
