public import TillModel
import TillWire

/// What an authorisation agent is told, for as long as it is read.
///
/// A lost connection ends nothing: the sequence says so, looks for the daemon, and goes on with what was requested and
/// withdrawn meanwhile. It ends when its task is cancelled or the agent is closed, and throws only what no repetition
/// helps against, such as `permissionDenied`.
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
                    guard !Task.isCancelled, await !agent.connector.isClosed else {
                        return nil
                    }
                    await lose(error)
                }
            }
        }

        public mutating func next() async throws(TillError) -> AuthorizationUpdate? {
            try await next(isolation: #isolation)
        }

        /// Gets what comes next: a connection, or an event.
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
            // The first attempt alone, so that a daemon that is away is reported before it is back.
            let session =
                isConnected
                ? try await agent.connector.attempt(until: Connector.indefinitely)
                : try await agent.connector.session(until: Connector.indefinitely)
            stream = session.watch()
            // What the list, which is younger than the stream, does not have was withdrawn unseen.
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
                await agent.connector.drop(stream.session)
            }
            stream = nil
            if isConnected {
                isConnected = false
                pending = [.connection(.disconnected(reason: error.message))]
            }
        }
    }
}
