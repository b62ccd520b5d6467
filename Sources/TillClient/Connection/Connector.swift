package import FoundationEssentials
package import TillModel

/// An open connection to the daemon.
package protocol ConnectorSession: AnyObject, Sendable {
    /// The ledger of the daemon.
    var ledgerID: UUID { get }
    /// How long the connection has been open.
    var age: Duration { get }
    func close()
}

/// Keeps a client's one connection: connects when it is needed, and reconnects when it is lost.
///
/// A caller that needs a connection makes the attempt. Other callers wait for its outcome, each until its own deadline.
/// Nothing runs between calls.
///
/// The sessions, the clock and the random numbers are parameters, so that a simulation can run these rules without a
/// socket.
package actor Connector<Session: ConnectorSession, Time: Clock<Duration>> {
    /// Opens a session, or throws at the deadline.
    package typealias Opening = @Sendable (_ deadline: Time.Instant) async throws(TillError) -> Session
    private typealias Attempt = AsyncStream<TillError>

    private enum State {
        case disconnected
        case connecting(waiting: [Attempt.Continuation])
        case connected(Session)
        case closed
    }

    package nonisolated let clock: Time
    private let socketPath: String
    private let open: Opening
    private var state = State.disconnected
    private var backoff = Backoff()
    /// When the next attempt may begin. The delay counts from the failure, so that a call long after it is not delayed.
    private var nextAttempt: Time.Instant?
    private var random: any RandomNumberGenerator & Sendable

    /// - Parameters:
    ///   - socketPath: The daemon's socket, for messages.
    ///   - random: The source of the jitter between attempts.
    package init(
        socketPath: String,
        clock: Time,
        random: any RandomNumberGenerator & Sendable,
        open: @escaping Opening
    ) {
        self.socketPath = socketPath
        self.clock = clock
        self.random = random
        self.open = open
    }

    /// Whether the client was closed, so that it never connects again.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// The current connection, or a new one.
    ///
    /// - Parameter deadline: When to stop trying to reach the daemon.
    /// - Throws: The last failure at the deadline; at once, an error that a retry cannot solve.
    package func session(until deadline: Time.Instant) async throws(TillError) -> Session {
        while true {
            do {
                return try await attempt(until: deadline)
            } catch  where error.isRetryable && clock.now < deadline {
                continue
            }
        }
    }

    /// The current connection, or the outcome of one attempt to connect: the one in progress, or a new one.
    ///
    /// - Parameter deadline: When to stop waiting for that outcome.
    private func attempt(until deadline: Time.Instant) async throws(TillError) -> Session {
        while !Task.isCancelled {
            switch state {
            case .connected(let session):
                return session
            case .closed:
                throw TillError(.cancelled, "The client was closed.")
            case .connecting(let waiting):
                let (attempt, end) = Attempt.makeStream(bufferingPolicy: .bufferingNewest(1))
                state = .connecting(waiting: waiting + [end])
                if let failure = await failure(of: attempt, until: deadline) {
                    throw failure
                }
            case .disconnected:
                return try await connect(until: deadline)
            }
        }
        throw Self.cancelled
    }

    /// The current connection, or a new one, for a stream that is reopened for as long as it is read.
    ///
    /// - Parameter once: Whether to make only one attempt, so that a lost daemon is reported before it is back. Otherwise
    ///   attempts continue for an hour, and the stream then asks again.
    func session(once: Bool) async throws(TillError) -> Session {
        let deadline = clock.now.advanced(by: .seconds(3600))
        return once ? try await attempt(until: deadline) : try await session(until: deadline)
    }

    /// Drops a dead session; the next call opens another.
    package func drop(_ session: Session) {
        guard case .connected(let current) = state, current === session else {
            return
        }
        backoff.ended(after: session.age)
        delayNextAttempt()
        session.close()
        state = .disconnected
    }

    /// Closes the connection for good.
    func close() {
        if case .connected(let session) = state {
            session.close()
        }
        change(to: .closed)
    }

    /// Waits for another caller's attempt.
    ///
    /// - Returns: The error if it failed or did not end in time; nil if it succeeded or its caller was cancelled.
    private func failure(of attempt: Attempt, until deadline: Time.Instant) async -> TillError? {
        let late = TillError(
            .unavailable,
            "No daemon answered at \(socketPath) in time; start tilld, or name its socket."
        )
        return await withTaskGroup(of: TillError?.self) { group in
            group.addTask { await attempt.first { _ in true } }
            group.addTask { [clock] in (try? await Task.sleep(until: deadline, clock: clock)).map { late } }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func connect(until deadline: Time.Instant) async throws(TillError) -> Session {
        state = .connecting(waiting: [])
        do throws(TillError) {
            try await pause(until: deadline)
            let session = try await open(deadline)
            guard case .connecting = state else {
                session.close()
                throw TillError(.cancelled, "The client was closed.")
            }
            change(to: .connected(session))
            return session
        } catch {
            // An attempt whose caller was cancelled says nothing about the daemon.
            if !Task.isCancelled {
                backoff.failed()
                delayNextAttempt()
            }
            if case .connecting = state {
                change(to: .disconnected, because: error.code == .cancelled ? nil : error)
            }
            throw error
        }
    }

    private func delayNextAttempt() {
        nextAttempt = clock.now.advanced(by: backoff.delay(using: &random))
    }

    /// Waits until the next attempt may begin, at most until the deadline.
    private func pause(until deadline: Time.Instant) async throws(TillError) {
        do {
            try await Task.sleep(until: min(nextAttempt ?? clock.now, deadline), clock: clock)
        } catch {
            throw Self.cancelled
        }
    }

    private func change(to next: State, because failure: TillError? = nil) {
        let previous = state
        state = next
        if case .connecting(let waiting) = previous {
            for end in waiting {
                failure.map { _ = end.yield($0) }
                end.finish()
            }
        }
    }

    private static var cancelled: TillError { TillError(.cancelled, "The call was cancelled.") }
}

extension TillError {
    /// Whether a retry of the same call may succeed once the daemon is back.
    package var isRetryable: Bool {
        code == .unavailable || code == .deadlineExceeded
    }
}

/// Exponential backoff before the next attempt to connect: from 20 ms up to 2 s, with jitter, so that the clients of a
/// restarted daemon do not all return at once. A call with a few seconds to its deadline thus finds a daemon that is back.
package struct Backoff: Equatable {
    static let first = Duration.milliseconds(20)
    static let maximum = Duration.seconds(2)
    /// A connection that lived for less counts as a failed attempt.
    static let stableAfter = Duration.seconds(1)

    private(set) var failures = 0

    package init() {}

    /// The delay: zero before the first attempt, then between half of the exponential delay and all of it.
    package func delay(using random: inout some RandomNumberGenerator) -> Duration {
        guard failures > 0 else {
            return .zero
        }
        let doubled = Self.first * (1 << min(failures - 1, 16))
        return min(doubled, Self.maximum) * Double.random(in: 0.5...1, using: &random)
    }

    package mutating func failed() {
        failures += 1
    }

    /// Records the end of a connection that lasted this long.
    mutating func ended(after lifetime: Duration) {
        failures = lifetime < Self.stableAfter ? failures + 1 : 0
    }
}
