package import TillModel

/// A stream of a queue's changes over one session.
package protocol ChangeStream {
    associatedtype Session: ConnectorSession

    var session: Session { get }

    /// The next batch with events.
    func next(isolation actor: isolated (any Actor)?) async throws(TillError) -> EventBatch

    func acknowledge(_ revision: UInt64) async throws(TillError)
}

/// Follows a queue's changes over one connection after another: opens a stream, acknowledges what was delivered, and
/// resumes where a lost stream ended.
package struct ChangeFollower<Stream: ChangeStream, Time: Clock<Duration>> {
    private let connector: Connector<Stream.Session, Time>
    private let finished: FinishedTransactions
    private let open: (Stream.Session, ChangeReader) -> Stream
    private var reader: ChangeReader
    /// The current stream; nil while there is none.
    package private(set) var stream: Stream?

    /// - Parameters:
    ///   - finished: The transactions that this client has finished, whose updates are dropped.
    ///   - open: Opens a stream of a session where the reader resumes.
    package init(
        connector: Connector<Stream.Session, Time>,
        reader: ChangeReader,
        finished: FinishedTransactions,
        open: @escaping (Stream.Session, ChangeReader) -> Stream
    ) {
        self.connector = connector
        self.reader = reader
        self.finished = finished
        self.open = open
    }

    /// The next change; nil when the task is cancelled or the connector is closed.
    ///
    /// - Throws: Errors that a retry cannot solve.
    package mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(TillError) -> Change? {
        while true {
            if let change = reader.next(excluding: finished) {
                return change
            }
            do throws(TillError) {
                try await advance(isolation: actor)
            } catch  where error.endsOnlyTheStream {
                guard !Task.isCancelled, await !connector.isClosed else {
                    return nil
                }
                await lose(error)
            }
        }
    }

    /// Gets a connection or the next batch of changes.
    private mutating func advance(isolation actor: isolated (any Actor)?) async throws(TillError) {
        guard let stream else {
            return try await attach()
        }
        if let revision = reader.acknowledgementDue {
            try await stream.acknowledge(revision)
            reader.acknowledged()
        }
        reader.read(try await stream.next(isolation: actor))
    }

    private mutating func attach() async throws(TillError) {
        let session = try await connector.session(once: reader.isConnected)
        finished.attach(toLedger: session.ledgerID)
        reader.attach(toLedger: session.ledgerID)
        stream = open(session, reader)
    }

    private mutating func lose(_ error: TillError) async {
        if let stream {
            await connector.drop(stream.session)
        }
        stream = nil
        reader.lose(error.message)
    }
}

extension TillError {
    /// Whether a new stream can continue where this one ended.
    var endsOnlyTheStream: Bool {
        isRetryable || code == .resourceExhausted || code == .notFound || code == .cancelled
    }
}
