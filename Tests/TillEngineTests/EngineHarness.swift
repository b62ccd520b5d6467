import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// An engine at work on a ledger in memory, a virtual clock and a scripted provider.
struct EngineHarness: Sendable {
    static let notes = QueueName(application: "org.example.notes", account: "uid:1000")

    let ledger: any Ledger
    let time: VirtualTime
    /// Measures how long the provider takes.
    let callTime = VirtualTime()
    let provider: ScriptedProvider
    let engine: PaymentEngine
    let downloader = ScriptedDownloader()

    /// - Parameter gated: Takes the scripted provider's place, which it has to hold.
    init(
        ledger: any Ledger = MemoryLedger(),
        time: VirtualTime = VirtualTime(),
        provider: ScriptedProvider = ScriptedProvider(),
        gated: GatedProvider? = nil,
        preparing: PreparingProvider? = nil,
        catalogue: TestCatalogue = TestCatalogue(),
        receipts: any ReceiptSigner = PlainSigner(),
        configure: (inout EngineConfiguration) -> Void = { _ in }
    ) {
        self.ledger = ledger
        self.time = time
        self.provider = provider
        var configuration = EngineConfiguration()
        configure(&configuration)
        engine = PaymentEngine(
            ledger: ledger,
            catalogue: catalogue,
            provider: preparing ?? gated ?? provider as any PaymentProvider,
            receipts: receipts,
            downloader: downloader,
            configuration: configuration,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            time: time,
            callTime: callTime
        )
    }

    /// Runs the engine for as long as `body` takes.
    func run(_ body: @escaping @Sendable (EngineHarness) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.engine.run() }
            do {
                try await body(self)
            } catch {
                engine.stop()
                throw error
            }
            engine.stop()
            try await group.waitForAll()
        }
    }

    /// Changes the store's settings from now on.
    func changeStore(_ change: (inout StoreSettings) -> Void) {
        engine.settingsBox.withLockedValue { change(&$0) }
    }

    /// Adds a payment and returns its transaction once that is final.
    func buy(_ product: String, username: String? = nil, in name: QueueName = notes) async throws -> Transaction {
        let payment = Payment(productID: product, applicationUsername: username)
        let added = try await engine.addPayment(payment, to: name)
        return added.state.isFinal ? added : try await final(payment.id, in: name, after: added.revision)
    }

    /// Buys and finishes.
    func own(_ product: String, username: String? = nil, in name: QueueName = notes) async throws -> Transaction {
        let transaction = try await buy(product, username: username, in: name)
        _ = try await engine.finishTransaction(transaction.id, in: name)
        return transaction
    }

    /// Waits for the transaction's final state.
    func final(_ id: UUID, in name: QueueName = notes, after revision: UInt64 = 0) async throws -> Transaction {
        let events = try await events(in: name, after: revision) { events in
            events.contains { $0.transaction?.id == id && $0.transaction?.state.isFinal == true }
        }
        guard let transaction = events.compactMap(\.transaction).last(where: { $0.id == id && $0.state.isFinal }) else {
            throw TillError(.notFound, "No final state of \(id).")
        }
        return transaction
    }

    /// Observes, acknowledging everything, until the events so far are enough.
    func events(
        in name: QueueName = notes,
        after revision: UInt64?,
        resumesInitialDelivery: Bool = false,
        window: Int? = nil,
        batchSize: Int? = nil,
        until isEnough: @escaping @Sendable ([QueueEvent]) -> Bool
    ) async throws -> [QueueEvent] {
        let observation = try engine.observe(
            name,
            after: revision,
            resumesInitialDelivery: resumesInitialDelivery,
            window: window,
            batchSize: batchSize
        )
        let batches = AsyncStream.makeStream(of: EventBatch.self, bufferingPolicy: .unbounded)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await observation.run { batches.continuation.yield($0) }
            }
            defer { group.cancelAll() }
            var events: [QueueEvent] = []
            for await batch in batches.stream {
                events += batch.events
                observation.acknowledge(batch.revision)
                if isEnough(events) {
                    break
                }
            }
            return events
        }
    }
}

extension QueueEvent {
    var transaction: Transaction? {
        switch self {
        case .updated(let transaction), .removed(let transaction), .revoked(let transaction): transaction
        default: nil
        }
    }

    /// The event's name, and its transaction's product and state.
    var summary: String {
        switch self {
        case .updated(let transaction): "updated \(transaction.payment.productID) \(transaction.state)"
        case .removed(let transaction): "removed \(transaction.payment.productID)"
        case .revoked(let transaction): "revoked \(transaction.payment.productID)"
        case .storePaymentRequested(let payment): "store payment \(payment.productID)"
        case .downloadsUpdated(let downloads):
            "downloads " + downloads.map { "\($0.content.identifier) \($0.state)" }.joined(separator: ", ")
        case .storefrontChanged(let storefront): "storefront \(storefront.countryCode)"
        case .restoreFinished(_, let count): "restore finished \(count)"
        case .restoreFailed: "restore failed"
        case .initialDeliveryStarted(let isReset): isReset ? "reset" : "initial"
        case .initialDeliveryEnded: "end of initial delivery"
        }
    }
}

extension EngineHarness {
    /// All rows of a payment.
    struct Rows: Equatable {
        var transaction: TransactionRecord?
        var charge: ChargeRecord?
        var refunds: [RefundRecord]
        var history: [HistoryRecord]
    }

    func rows(of id: UUID) async throws -> Rows {
        try await ledger.read { reader in
            let transaction = try reader.transaction(id)
            let key = transaction?.key ?? 0
            return Rows(
                transaction: transaction,
                charge: try reader.charge(forTransaction: key),
                refunds: try reader.refunds(ofTransaction: key),
                history: try reader.history(ofTransaction: key)
            )
        }
    }
}
