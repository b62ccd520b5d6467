import FoundationEssentials
import NIOConcurrencyHelpers
import TillModel

/// Records deliveries to observers in the transactions' history. They wait in memory until their transaction is stored
/// for another reason, so that most cost no write of their own; those that wait too long are stored by themselves.
/// Deliveries that a crash or a failed commit loses, or that exceed the limit, are missing from the history only.
///
/// That a finished transaction left the queue is not recorded: the application itself finished it.
final class DeliveryLog: Sendable {
    /// Deliveries that wait to be stored; more are dropped.
    static let waitingMaximum = 10_000
    /// Deliveries in one commit. Those of one transaction are stored together, so there may be a few more.
    static let commitMaximum = 1_000
    /// How long a delivery waits for its transaction to be stored, or up to twice as long.
    static let patience = Duration.seconds(10)

    struct Entry: Hashable, Sendable {
        var transactionID: UUID
        var date: Date
        var revision: UInt64
        var peer: String
    }

    private struct State {
        /// The waiting deliveries of each transaction, in the order of their dates.
        var waiting: [UUID: [Entry]] = [:]
        var count = 0
        /// The transactions whose deliveries are stored next.
        var due: Set<UUID> = []

        var hasRoom: Bool {
            count < waitingMaximum
        }

        /// Keeps as many deliveries of a transaction as its history would.
        mutating func record(_ entry: Entry) {
            guard hasRoom, waiting[entry.transactionID]?.count ?? 0 < CommandContext.historyKept else {
                return
            }
            waiting[entry.transactionID, default: []].append(entry)
            count += 1
        }

        mutating func take(_ id: UUID) -> [Entry] {
            guard count > 0, let taken = waiting.removeValue(forKey: id) else {
                return []
            }
            count -= taken.count
            return taken
        }

        /// Takes a page of the deliveries that are due; empty if none is.
        mutating func takeDue() -> [Entry] {
            var taken: [Entry] = []
            while taken.count < commitMaximum, let id = due.popFirst() {
                taken += take(id)
            }
            return taken
        }
    }

    private let time: any TimeSource
    private let state = NIOLockedValueBox(State())
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(time: any TimeSource) {
        self.time = time
    }

    /// Whether no delivery waits to be stored.
    var isEmpty: Bool {
        state.withLockedValue { $0.count == 0 }
    }

    /// Records that a batch's transactions were sent to the peer.
    func record(_ events: [QueueEvent], to peer: String) {
        state.withLockedValue { state in
            guard state.hasRoom else {
                return
            }
            let date = time.now().roundedToMilliseconds
            for case let (id, revision)? in events.lazy.map(\.delivered) {
                state.record(Entry(transactionID: id, date: date, revision: revision, peer: peer))
            }
        }
    }

    /// The transaction's deliveries that wait to be stored.
    func waiting(_ id: UUID) -> [Entry] {
        state.withLockedValue { $0.waiting[id] ?? [] }
    }

    /// Takes the transaction's waiting deliveries, because it is about to be stored.
    func take(_ id: UUID) -> [Entry] {
        state.withLockedValue { $0.take(id) }
    }

    /// Stores deliveries that have waited for ``patience``, until ``stop()``, and then all that are left.
    func run(store: @Sendable ([Entry]) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.tick() }
            for await _ in wake.stream {
                try await storeDue(store)
                makeAllDue()
            }
            makeAllDue()
            try await storeDue(store)
            group.cancelAll()
        }
    }

    func stop() {
        wake.continuation.finish()
    }

    private func tick() async throws {
        while !Task.isCancelled {
            try? await time.sleep(for: Self.patience)
            wake.continuation.yield()
        }
    }

    private func makeAllDue() {
        state.withLockedValue { $0.due = Set($0.waiting.keys) }
    }

    private func storeDue(_ store: @Sendable ([Entry]) async throws -> Void) async throws {
        while case let page = state.withLockedValue({ $0.takeDue() }), !page.isEmpty {
            try await store(page)
        }
    }
}

extension QueueEvent {
    /// The transaction whose change the observer is told, and its revision.
    fileprivate var delivered: (id: UUID, revision: UInt64)? {
        switch self {
        case .updated(let transaction), .revoked(let transaction): (transaction.id, transaction.revision)
        default: nil
        }
    }
}

extension HistoryRecord {
    init(_ delivery: DeliveryLog.Entry, ofTransaction key: Int64) {
        self.init(
            transactionKey: key,
            date: delivery.date,
            kind: .delivery,
            actor: Self.daemon,
            detail: "revision \(delivery.revision) to \(delivery.peer)"
        )
    }
}
