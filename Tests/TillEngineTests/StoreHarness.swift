import FoundationEssentials
import Logging
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// A ledger whose commits are visible to readers long before the writer learns of them, as when its thread has to wait for
/// a processor.
private struct LateLedger: Ledger {
    private static let yields = 1000
    let ledger: MemoryLedger

    var id: UUID { ledger.id }
    var numbering: LedgerNumbering { ledger.numbering }

    func commit<Value: Sendable>(_ work: @escaping @Sendable (any LedgerWriter) throws -> Value) async throws -> Value {
        let value = try await ledger.commit(work)
        for _ in 0..<Self.yields {
            await Task.yield()
        }
        return value
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await ledger.read(work)
    }
}

/// An engine at work as a simulated store: with a provider and a clock that operators may adjust.
struct StoreHarness: Sendable {
    static let operators = OperatorIdentity(uid: 501, reason: "test")

    let ledger: MemoryLedger
    let base: VirtualTime
    let provider: AdjustableScript
    let engine: PaymentEngine

    init(
        ledger: MemoryLedger = MemoryLedger(),
        base: VirtualTime = VirtualTime(),
        provider: AdjustableScript = AdjustableScript(),
        acknowledgesLate: Bool = false
    ) {
        self.ledger = ledger
        self.base = base
        self.provider = provider
        engine = PaymentEngine(
            ledger: acknowledgesLate ? LateLedger(ledger: ledger) : ledger,
            catalogue: TestCatalogue(),
            provider: provider,
            configuration: EngineConfiguration(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            time: AdjustableTime(base)
        )
    }

    /// The periods of the subscription that the payment began.
    func periods(of payment: Payment) async throws -> Int {
        try await ledger.read { ledger in
            guard let term = try ledger.transaction(payment.id)?.term else {
                return 0
            }
            return try ledger.terms(ofSubscription: term.subscription, afterKey: 0, limit: 1000).count
        }
    }

    /// Runs the engine for as long as `body` takes.
    func run(_ body: @escaping @Sendable (StoreHarness) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.engine.run() }
            defer { engine.stop() }
            try await body(self)
            engine.stop()
            try await group.waitForAll()
        }
    }

    func audit() async throws -> [AuditLink] {
        try await ledger.read { try $0.audit(after: 0, limit: 1000) }
    }
}

extension EngineHarness {
    /// A transaction as the ledger has it.
    func record(_ id: UUID) async throws -> TransactionRecord? {
        try await ledger.read { try $0.transaction(id) }
    }

    func refunds(of id: UUID) async throws -> [RefundRecord] {
        try await ledger.read { ledger in
            try ledger.transaction(id).map { try ledger.refunds(ofTransaction: $0.key) } ?? []
        }
    }

    /// The transaction's history.
    func history(of id: UUID, _ kind: HistoryEntry.Kind) async throws -> [String] {
        try await engine.explanation(ofTransaction: id).history.filter { $0.kind == kind }.map(\.detail)
    }

    /// Buys so many at once.
    func buy(_ product: String, quantity: Int) async throws -> Transaction {
        let payment = Payment(productID: product, quantity: quantity)
        let added = try await engine.addPayment(payment, to: Self.notes)
        return try await final(payment.id, after: added.revision)
    }
}
