public import TillModel
import TillWire

extension PaymentQueue {
    /// What happens to the queue from now on, after everything that is unfinished in it.
    ///
    /// Each iteration is an observer of its own, at its own pace: the daemon sends it a few batches ahead and no more.
    /// What an iteration was given is acknowledged when it asks for more: revocations and what the store wants bought at
    /// once, as they are delivered at every attach until then; all else a few batches at a time.
    public var changes: Changes {
        Changes(queue: self, cursor: nil, collapsesRenewals: configuration.collapsesRenewals, isPassive: false)
    }

    /// The same for who only looks on: revocations and purchases that the store wants made are still delivered to those
    /// who act on them.
    package var watchedChanges: Changes {
        watchedChanges(after: nil, collapsesRenewals: configuration.collapsesRenewals)
    }

    /// The same after a revision, for a call that waits for its own end.
    func watchedChanges(after cursor: UInt64?, collapsesRenewals: Bool = false) -> Changes {
        Changes(queue: self, cursor: cursor, collapsesRenewals: collapsesRenewals, isPassive: true)
    }
}

/// The changes of a queue, in order.
///
/// A lost connection ends nothing: the sequence says so, looks for the daemon, and goes on without loss or repetition.
/// It ends when its task is cancelled or the queue is closed, and throws only what no repetition helps against, such as
/// `permissionDenied`.
public struct Changes: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = TillError

    let queue: PaymentQueue
    /// Where to begin; nil for everything unfinished.
    let cursor: UInt64?
    let collapsesRenewals: Bool
    /// Whether what is acknowledged is still to be delivered to others.
    let isPassive: Bool

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(changes: self)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let changes: Changes
        private var reader: ChangeReader
        private var stream: ObservedStream?

        init(changes: Changes) {
            self.changes = changes
            reader = ChangeReader(cursor: changes.cursor, window: ObservedStream.window)
        }

        private var queue: PaymentQueue {
            changes.queue
        }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(TillError) -> Change? {
            while true {
                if let change = reader.next(leavingOut: queue.finished) {
                    return change
                }
                do throws(TillError) {
                    try await advance(isolation: actor)
                } catch  where error.endsOnlyTheStream {
                    guard !Task.isCancelled, await !queue.connector.isClosed else {
                        return nil
                    }
                    await lose(error)
                }
            }
        }

        public mutating func next() async throws(TillError) -> Change? {
            try await next(isolation: #isolation)
        }

        /// Gets what comes next: a connection, or a batch of changes.
        private mutating func advance(isolation actor: isolated (any Actor)?) async throws(TillError) {
            guard let stream else {
                try await attach()
                return
            }
            if let revision = reader.acknowledgementDue {
                try await stream.acknowledge(revision)
                reader.acknowledged()
            }
            reader.read(try await stream.next(isolation: actor))
        }

        private mutating func attach() async throws(TillError) {
            // The first attempt alone, so that a daemon that is away is reported before it is back.
            let session =
                reader.isConnected
                ? try await queue.connector.attempt(until: Connector.indefinitely)
                : try await queue.connector.session(until: Connector.indefinitely)
            reader.attach(toLedger: session.hello.ledgerID)
            stream = session.observe(
                after: reader.cursor,
                resumesInitialDelivery: reader.resumesInitialDelivery,
                collapsesRenewals: changes.collapsesRenewals,
                isPassive: changes.isPassive
            )
        }

        private mutating func lose(_ error: TillError) async {
            if let stream {
                await queue.connector.drop(stream.session)
            }
            stream = nil
            reader.lose(error.message)
        }
    }
}

extension TillError {
    /// Whether a new stream would go on where this one ended.
    package var endsOnlyTheStream: Bool {
        isWorthRepeating || code == .resourceExhausted || code == .notFound || code == .cancelled
    }
}
