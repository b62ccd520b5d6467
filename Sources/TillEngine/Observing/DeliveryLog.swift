import FoundationEssentials
import NIOConcurrencyHelpers
import TillModel

/// Records deliveries to observers in the transactions' history: it gathers them in memory and stores them every
/// second, so that a delivery costs no commit. Deliveries that a crash loses or that exceed the limit are missing from
/// the history only.
final class DeliveryLog: Sendable {
    /// Deliveries that wait to be stored; more are dropped.
    static let waitingMaximum = 10_000
    /// Deliveries in one commit.
    static let commitMaximum = 1_000
    /// The time between two commits.
    static let interval = Duration.seconds(1)

    struct Entry: Hashable, Sendable {
        var transactionID: UUID
        var revision: UInt64
        var peer: String
    }

    private let time: any TimeSource
    private let waiting = NIOLockedValueBox<[Entry]>([])
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(time: any TimeSource) {
        self.time = time
    }

    /// Whether no delivery waits to be stored.
    var isEmpty: Bool {
        waiting.withLockedValue(\.isEmpty)
    }

    /// Records that a batch's transactions were sent to the peer.
    func record(_ events: [QueueEvent], to peer: String) {
        guard hasRoom else {
            return
        }
        let deliveries = events.compactMap { event in
            event.deliveredTransaction.map { Entry(transactionID: $0.id, revision: $0.revision, peer: peer) }
        }
        waiting.withLockedValue { waiting in
            waiting += deliveries.prefix(Self.waitingMaximum - waiting.count)
        }
    }

    /// Stores waiting deliveries regularly until ``stop()``, and then all that are left.
    func run(store: @Sendable ([Entry]) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.tick() }
            for await _ in wake.stream {
                try await storePage(store)
            }
            while try await storePage(store) {}
            group.cancelAll()
        }
    }

    func stop() {
        wake.continuation.finish()
    }

    private var hasRoom: Bool {
        waiting.withLockedValue { $0.count < Self.waitingMaximum }
    }

    private func tick() async throws {
        while !Task.isCancelled {
            try? await time.sleep(for: Self.interval)
            wake.continuation.yield()
        }
    }

    /// - Returns: Whether there were any.
    @discardableResult
    private func storePage(_ store: @Sendable ([Entry]) async throws -> Void) async throws -> Bool {
        let page = waiting.withLockedValue { waiting in
            let page = Array(waiting.prefix(Self.commitMaximum))
            waiting.removeFirst(page.count)
            return page
        }
        guard !page.isEmpty else {
            return false
        }
        try await store(page)
        return true
    }
}

extension QueueEvent {
    /// The delivered transaction's identity and revision.
    fileprivate var deliveredTransaction: (id: UUID, revision: UInt64)? {
        switch self {
        case .updated(let transaction), .removed(let transaction), .revoked(let transaction):
            (transaction.id, transaction.revision)
        default: nil
        }
    }
}
