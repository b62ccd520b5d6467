import NIOConcurrencyHelpers
package import TillModel

#if MUTANTS
    import Mutants
#endif

/// An active observer: it follows a queue's change log, at most a window of unacknowledged batches ahead.
///
/// It holds only a cursor and a window, so that a slow observer costs no memory.
package final class Observation: Sendable {
    package static let windowRange = 1...16
    package static let windowDefault = 4
    package static let batchRange = 1...64
    package static let batchDefault = 64
    /// Without a change for this long, an empty batch shows that the stream is alive.
    package static let heartbeat = Duration.seconds(15)

    /// Sends a batch that is made only once the stream has capacity for it, so that a waiting stream holds none.
    /// Returns whether there was one.
    package typealias Sink = @Sendable (_ batch: () async throws -> OutgoingBatch?) async throws -> Bool

    private struct State {
        var window: ObserverWindow
        var isHeartbeatDue = false
        /// The newest sent revision whose acknowledgement is to be stored, and the newest acknowledged revision.
        var pending: UInt64?
        var acknowledged: UInt64 = 0

        var isAcknowledgementDue: Bool {
            pending.map { acknowledged >= $0 } ?? false
        }

        /// Records an acknowledgement; returns whether anything waited for it.
        mutating func acknowledge(_ revision: UInt64) -> Bool {
            let hadRoom = window.hasRoom
            window.acknowledge(revision)
            acknowledged = max(acknowledged, revision)
            return !hadRoom || isAcknowledgementDue
        }
    }

    private let feed: ChangeFeed
    private let name: QueueName
    private let after: UInt64?
    private let resumesInitialDelivery: Bool
    private let batchSize: Int
    private let collapsesRenewals: Bool
    private let isPassive: Bool
    private let peer: String?
    private let state: NIOLockedValueBox<State>
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        feed: ChangeFeed,
        name: QueueName,
        after: UInt64?,
        resumesInitialDelivery: Bool,
        window: Int,
        batchSize: Int,
        collapsesRenewals: Bool,
        isPassive: Bool,
        peer: String?
    ) {
        self.feed = feed
        self.name = name
        self.after = after
        self.resumesInitialDelivery = resumesInitialDelivery
        self.batchSize = batchSize
        self.collapsesRenewals = collapsesRenewals
        self.isPassive = isPassive
        self.peer = peer
        state = NIOLockedValueBox(State(window: ObserverWindow(size: window)))
    }

    /// Acknowledges everything up to `revision`, which may make room for another batch.
    package func acknowledge(_ revision: UInt64) {
        if state.withLockedValue({ $0.acknowledge(revision) }) {
            wake.continuation.yield()
        }
    }

    /// Sends batches as soon as they are available, until the task is cancelled or `send` throws.
    package func run(send: @Sendable @escaping (EventBatch) async throws -> Void) async throws {
        try await run(delivering: { batch in
            guard let outgoing = try await batch() else {
                return false
            }
            try await send(outgoing.batch)
            return true
        })
    }

    /// Sends batches, each made once the stream has capacity for it, until the task is cancelled or `deliver` throws.
    package func run(delivering deliver: @escaping Sink) async throws {
        let queue = try await feed.openQueue(name)
        let subscription = feed.changes.subscribe(wake.continuation, toQueue: queue.key)
        defer { feed.changes.unsubscribe(subscription) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.beat() }
            group.addTask { try await self.follow(queue, deliver) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func beat() async throws {
        while true {
            try await feed.time.sleep(for: Self.heartbeat)
            state.withLockedValue { $0.isHeartbeatDue = true }
            wake.continuation.yield()
        }
    }

    private func follow(_ queue: QueueRecord, _ deliver: Sink) async throws {
        // The queue is read after subscribing, so that no change is missed in between.
        guard let current = try await feed.access.read({ try $0.queue(key: queue.key) }) else {
            return
        }
        var cursor = ObserverCursor(
            after: after,
            resumesInitialDelivery: resumesInitialDelivery,
            queue: current
        )
        var reported: UInt64 = 0
        try await drain(&cursor, queue.key, deliver)
        for await _ in wake.stream {
            if let revision = takeAcknowledged() {
                try await feed.acknowledge(revision, inQueue: queue.key)
            }
            try await drain(&cursor, queue.key, deliver)
            try await sendProgress(after: &reported, cursor, queue.key, deliver)
            if takeHeartbeat() {
                _ = try await deliver { OutgoingBatch(batch: EventBatch(revision: cursor.revision, events: [])) }
            }
        }
        try Task.checkCancellation()
    }

    /// Sends while the window has room and the log has more.
    private func drain(_ cursor: inout ObserverCursor, _ queue: Int64, _ deliver: Sink) async throws {
        while state.withLockedValue({ $0.window.hasRoom }), !feed.isUpToDate(cursor, queue: queue) {
            var events: [QueueEvent] = []
            let isSent = try await deliver {
                let outgoing = try await feed.nextBatch(
                    &cursor,
                    queue: queue,
                    limit: batchSize,
                    collapsesRenewals: collapsesRenewals
                )
                events = outgoing.batch.events
                return note(outgoing.batch) ? outgoing : nil
            }
            guard isSent else {
                return
            }
            if let peer {
                feed.deliveries.record(events, to: peer)
            }
        }
    }

    /// Counts a batch that is about to be sent; returns false for one without events, which is not sent.
    private func note(_ batch: EventBatch) -> Bool {
        guard !batch.events.isEmpty else {
            return false
        }
        state.withLockedValue { state in
            state.window.sent(batch.revision)
            if !isPassive, batch.events.contains(where: \.isDurable) {
                state.pending = batch.revision
            }
            state.isHeartbeatDue = false
        }
        return true
    }

    /// Sends the progress of downloads, once the observer has everything else.
    private func sendProgress(
        after number: inout UInt64,
        _ cursor: ObserverCursor,
        _ queue: Int64,
        _ deliver: Sink
    ) async throws {
        guard cursor.phase == .live, state.withLockedValue({ $0.window.hasRoom }) else {
            return
        }
        let (downloads, last) = feed.active.reported(in: queue, after: number)
        number = last
        guard !downloads.isEmpty else {
            return
        }
        state.withLockedValue { state in
            state.window.sent(cursor.revision)
            state.isHeartbeatDue = false
        }
        let batch = EventBatch(revision: cursor.revision, events: [.downloadsUpdated(downloads)])
        _ = try await deliver { OutgoingBatch(batch: batch) }
    }

    /// The revision up to which sent events and revocations are no longer pending.
    private func takeAcknowledged() -> UInt64? {
        state.withLockedValue { state in
            guard state.isAcknowledgementDue else {
                return nil
            }
            defer { state.pending = nil }
            return state.pending
        }
    }

    private func takeHeartbeat() -> Bool {
        state.withLockedValue { state in
            defer { state.isHeartbeatDue = false }
            return state.isHeartbeatDue
        }
    }
}

/// Counts an observer's unacknowledged batches.
struct ObserverWindow: Equatable {
    let size: Int
    private var unacknowledged: [UInt64] = []

    init(size: Int) {
        self.size = size
    }

    var hasRoom: Bool {
        #if MUTANTS
            if Mutant.unboundedObserver.isPlanted {
                return true
            }
        #endif
        return unacknowledged.count < size
    }

    mutating func sent(_ revision: UInt64) {
        unacknowledged.append(revision)
    }

    /// Acknowledges everything up to `revision`. Repeated and premature acknowledgements are harmless.
    mutating func acknowledge(_ revision: UInt64) {
        unacknowledged.removeAll { $0 <= revision }
    }
}
