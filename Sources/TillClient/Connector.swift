import TillModel

/// Keeps a client's one connection: makes it when it is needed, and again when it is lost.
///
/// Who needs a connection makes it, and others wait for them; nothing runs while nobody asks.
actor Connector {
    private enum State {
        case disconnected
        case connecting(waiting: [CheckedContinuation<Void, Never>])
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

    /// The connection that is there, or a new one.
    ///
    /// - Parameter deadline: How long to look for a daemon that does not answer.
    /// - Throws: `unavailable` at the deadline; at once what no repetition helps against.
    func session(until deadline: ContinuousClock.Instant) async throws(TillError) -> Session {
        while true {
            switch state {
            case .connected(let session):
                return session
            case .closed:
                throw TillError(.cancelled, "The client was closed.")
            case .connecting(let waiting):
                await withCheckedContinuation { state = .connecting(waiting: waiting + [$0]) }
            case .disconnected:
                do {
                    return try await connect(until: deadline)
                } catch  where error.isWorthRepeating && .now < deadline {
                    continue
                }
            }
        }
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

    private func connect(until deadline: ContinuousClock.Instant) async throws(TillError) -> Session {
        state = .connecting(waiting: [])
        do throws(TillError) {
            try await pause(until: deadline)
            let session = try await Session.open(configuration)
            guard case .connecting = state else {
                session.close()
                throw TillError(.cancelled, "The client was closed.")
            }
            change(to: .connected(session))
            return session
        } catch {
            backoff.failed()
            if case .connecting = state {
                change(to: .disconnected)
            }
            throw error
        }
    }

    private func pause(until deadline: ContinuousClock.Instant) async throws(TillError) {
        let delay = min(backoff.delay(using: &random), max(.zero, deadline - .now))
        do {
            try await Task.sleep(for: delay)
        } catch {
            throw TillError(.cancelled, "The call was cancelled.")
        }
    }

    private func change(to next: State) {
        let previous = state
        state = next
        if case .connecting(let waiting) = previous {
            waiting.forEach { $0.resume() }
        }
    }
}

extension TillError {
    /// Whether the same call may succeed once the daemon is back.
    package var isWorthRepeating: Bool {
        code == .unavailable || code == .deadlineExceeded
    }
}
