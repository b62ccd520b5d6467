import FoundationEssentials
import Logging
@testable import TillEngine
import TillModel
import TillTesting

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
        provider: AdjustableScript = AdjustableScript()
    ) {
        self.ledger = ledger
        self.base = base
        self.provider = provider
        engine = PaymentEngine(
            ledger: ledger,
            catalogue: TestCatalogue(),
            provider: provider,
            configuration: EngineConfiguration(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            time: AdjustableTime(base)
        )
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

    /// What the history says of the transaction.
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
