public import FoundationEssentials
public import TillModel
import TillWire

/// An update for an authorisation agent.
public enum AuthorizationUpdate: Hashable, Sendable {
    /// An open request.
    case requested(AuthorizationRequest)
    /// A request that was answered by anyone, or that has expired.
    case withdrawn(id: UUID, kind: AuthorizationRequest.Kind)
    /// The daemon was reached or lost. While it is lost, this process is not an agent.
    case connection(ConnectionState)
}

/// The updates for an authorisation agent, for as long as they are read.
///
/// A lost connection does not end the sequence: it reports the loss, reconnects, and continues with the requests that
/// were added and withdrawn in the meantime. It ends when its task is cancelled or the agent is closed. It throws only
/// errors that a retry cannot solve, such as `permissionDenied`.
public struct AuthorizationUpdates: AsyncSequence, Sendable {
    public typealias Element = AuthorizationUpdate
    public typealias Failure = TillError

    let agent: AuthorizationAgent

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(agent: agent)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let agent: AuthorizationAgent
        private var reader = AuthorizationReader()
        private var stream: WatchedStream?
        private var pending: ArraySlice<AuthorizationUpdate> = []
        private var isConnected = true

        init(agent: AuthorizationAgent) {
            self.agent = agent
        }

        private var connection: Connector<DaemonSession, ContinuousClock> {
            agent.connector.connection
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(TillError) -> AuthorizationUpdate? {
            while true {
                if let update = pending.popFirst() {
                    return update
                }
                do throws(TillError) {
                    try await advance(isolation: actor)
                } catch  where error.endsOnlyTheStream {
                    guard !Task.isCancelled, await !connection.isClosed else {
                        return nil
                    }
                    await lose(error)
                }
            }
        }

        public mutating func next() async throws(TillError) -> AuthorizationUpdate? {
            try await next(isolation: #isolation)
        }

        /// Gets a connection or the next event.
        private mutating func advance(isolation actor: isolated (any Actor)?) async throws(TillError) {
            guard let stream else {
                try await attach()
                return
            }
            if let update = reader.read(try await stream.next(isolation: actor)) {
                pending = [update]
            }
        }

        private mutating func attach() async throws(TillError) {
            let session = try await connection.session(once: isConnected)
            stream = session.watch()
            // The list is younger than the stream: requests that it lacks were withdrawn while disconnected.
            let withdrawn = reader.isEmpty ? [] : reader.withdrawAll(besides: try await listed())
            isConnected = true
            pending = [.connection(.connected)] + withdrawn
        }

        private func listed() async throws(TillError) -> [AuthorizationRequest] {
            var requests: [AuthorizationRequest] = []
            var iterator = agent.requests.makeAsyncIterator()
            while let request = try await iterator.next() {
                requests.append(request)
            }
            return requests
        }

        private mutating func lose(_ error: TillError) async {
            if let stream {
                await connection.drop(stream.session)
            }
            stream = nil
            if isConnected {
                isConnected = false
                pending = [.connection(.disconnected(reason: error.message))]
            }
        }
    }
}

/// Turns the events of successive streams into updates, without repetition or loss after a reconnect.
struct AuthorizationReader {
    /// The number of open requests to remember; others are reported again after a reconnect.
    static let openMaximum = 4096

    private struct Key: Hashable {
        var id: UUID
        var kind: AuthorizationRequest.Kind
    }

    private var open: [Key: AuthorizationRequest] = [:]

    /// The update of an event; nil for a request that the agent knows.
    mutating func read(_ event: AuthorizationEvent) -> AuthorizationUpdate? {
        switch event {
        case .requested(let request):
            let key = Key(id: request.id, kind: request.kind)
            guard open[key] != request else {
                return nil
            }
            if open.count < Self.openMaximum || open[key] != nil {
                open[key] = request
            }
            return .requested(request)
        case .withdrawn(let id, let kind):
            open[Key(id: id, kind: kind)] = nil
            return .withdrawn(id: id, kind: kind)
        }
    }

    /// Withdraws remembered requests that are not among those that were open after a new stream had begun.
    mutating func withdrawAll(besides requests: some Sequence<AuthorizationRequest>) -> [AuthorizationUpdate] {
        let gone = Set(open.keys).subtracting(requests.map { Key(id: $0.id, kind: $0.kind) })
        gone.forEach { open[$0] = nil }
        return gone.map { .withdrawn(id: $0.id, kind: $0.kind) }
    }

    /// Whether no open request is remembered.
    var isEmpty: Bool {
        open.isEmpty
    }
}
