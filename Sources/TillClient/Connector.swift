import TillModel

/// Keeps a client's one connection: makes it when it is needed, and again when it is lost.
///
/// A caller that needs a connection makes the attempt, and other callers wait for its outcome, each until its own
/// deadline. Nothing runs while nobody asks.
actor Connector {
    private typealias Attempt = AsyncStream<TillError>

    private enum State {
        case disconnected
        case connecting(waiting: [Attempt.Continuation])
        case connected(Session)
        case closed
    }

    let configuration: ClientConfiguration
    private var state = State.disconnected
    private var backoff = Backoff()
    private var random = SystemRandomNumberGenerator()

    init(configuration: ClientConfiguration) {
        self.configuration = configuration
    }

    /// Whether no connection will ever be made again.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// The current connection, or a new one.
    ///
    /// - Parameter deadline: When to stop looking for a daemon that does not answer.
    /// - Throws: The last failure at the deadline; at once an error that a repetition cannot help against.
    func session(until deadline: ContinuousClock.Instant) async throws(TillError) -> Session {
        while true {
            do {
                return try await attempt(until: deadline)
            } catch  where error.isWorthRepeating && .now < deadline {
                continue
            }
        }
    }

    /// The current connection, or the outcome of one attempt: of the attempt under way, or of a new one.
    ///
    /// - Parameter deadline: When to stop waiting for that outcome.
    func attempt(until deadline: ContinuousClock.Instant) async throws(TillError) -> Session {
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

    /// The session was found dead; the next call makes another.
    func drop(_ session: Session) {
        guard case .connected(let current) = state, current === session else {
            return
        }
        backoff.ended(after: session.age)
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
    /// - Returns: Why it failed, or did not end in time; nil if it succeeded or was given up by its caller.
    private func failure(of attempt: Attempt, until deadline: ContinuousClock.Instant) async -> TillError? {
        let late = TillError(
            .unavailable,
            "No daemon answered at \(configuration.socketPath) in time; start tilld, or name its socket."
        )
        return await withTaskGroup(of: TillError?.self) { group in
            group.addTask { await attempt.first { _ in true } }
            group.addTask { (try? await Task.sleep(until: deadline, clock: .continuous)).map { late } }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func connect(until deadline: ContinuousClock.Instant) async throws(TillError) -> Session {
        state = .connecting(waiting: [])
        do throws(TillError) {
            try await pause(until: deadline)
            let session = try await Session.open(configuration, until: deadline)
            guard case .connecting = state else {
                session.close()
                throw TillError(.cancelled, "The client was closed.")
            }
            change(to: .connected(session))
            return session
        } catch {
            backoff.failed()
            if case .connecting = state {
                // Nothing is known of the daemon when the caller itself gave up.
                change(to: .disconnected, because: error.code == .cancelled ? nil : error)
            }
            throw error
        }
    }

    private func pause(until deadline: ContinuousClock.Instant) async throws(TillError) {
        let delay = min(backoff.delay(using: &random), max(.zero, deadline - .now))
        do {
            try await Task.sleep(for: delay)
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

    /// The deadline of a stream, which looks for the daemon until it is left: far away, and looked at again then.
    nonisolated static var indefinitely: ContinuousClock.Instant { .now + .seconds(3600) }

    private static let cancelled = TillError(.cancelled, "The call was cancelled.")
}

extension TillError {
    /// Whether the same call may succeed once the daemon is back.
    package var isWorthRepeating: Bool {
        code == .unavailable || code == .deadlineExceeded
    }
}
