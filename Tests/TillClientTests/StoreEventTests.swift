import FoundationEssentials
import TTRPC
import Testing
import TillClient
import TillModel
import TillTesting
import TillWire

/// Events that the store initiates reach the observer.
@Suite(.timeLimit(.minutes(10))) struct StoreEventTests {
    private static let payment = Payment(id: UUID(high: 1, low: 1), productID: "pro")
    private static let storefront = Storefront(countryCode: "DEU", identifier: "143443")

    private static func revoked(_ number: UInt64, _ product: String) -> Transaction {
        Transaction(
            id: UUID(high: 0, low: number),
            revision: number,
            state: .purchased,
            payment: Payment(id: UUID(high: 0, low: number), productID: product),
            revocation: Revocation(date: Date(timeIntervalSince1970: 0), reason: .other, quantity: 1),
            isFinished: true
        )
    }

    /// One batch with all events, and another one with the end mark.
    private static let batches = [
        EventBatch(
            revision: 5,
            events: [
                .initialDeliveryStarted(isReset: false), .revoked(revoked(1, "pro")), .revoked(revoked(2, "coins")),
                .revoked(revoked(3, "pro")), .storePaymentRequested(payment), .storefrontChanged(storefront),
            ]
        ),
        EventBatch(revision: 6, events: [.initialDeliveryEnded]),
    ]

    /// A daemon that sends the batches, and records payments and acknowledgements.
    private func methods(_ calls: Collector<String>, addFailures: Int = 0) -> MethodTable {
        var methods = MethodTable()
        methods.stream(ObserveRequest.self, Self.batches)
        methods.answer { (request: AcknowledgeRequest) in
            calls.append("acknowledge \(request.revision)")
            return AcknowledgeResponse()
        }
        let attempts = Collector<UUID>()
        methods.answer { (request: AddPaymentRequest) async throws(RPCError) in
            attempts.append(request.payment.id)
            guard attempts.values.count > addFailures else {
                throw RPCError(code: .resourceExhausted, message: "Busy.")
            }
            calls.append("add \(request.payment.id == Self.payment.id)")
            return AddPaymentResponse(
                transaction: Transaction(
                    id: request.payment.id,
                    revision: 9,
                    state: .purchasing,
                    payment: request.payment
                )
            )
        }
        return methods
    }

    @Test(arguments: [(accepts: false, failures: 0), (true, 0), (true, 2)])
    func anObserverDecidesOnAPromotedPurchaseBeforeItIsAcknowledged(_ accepts: Bool, _ failures: Int) async throws {
        let calls = Collector<String>()
        try await ScriptedDaemon.run { daemon in
            try await daemon.serving(methods(calls, addFailures: failures)) {
                let observer = StoreObserver(accepts: accepts, calls: calls)
                try await withThrowingTaskGroup { group in
                    group.addTask { try await PaymentQueue(daemon.configuration).deliver(to: observer) }
                    await observer.hasCaughtUp.arrival()
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
        let added = accepts ? ["add true"] : []
        #expect(
            Array(calls.values.prefix(4 + added.count))
                == ["revoked pro coins of 3", "asked for pro"] + added + ["storefront DEU", "acknowledge 5"]
        )
    }

    @Test(arguments: [false, true])
    func changesAreAskedForWithRenewalsCollapsedOrNot(_ collapses: Bool) async throws {
        let requests = Collector<ObserveRequest>()
        var methods = MethodTable()
        methods[PaymentQueueMethod.service, PaymentQueueMethod.observe.rawValue] = .serverStreaming {
            (_, bytes, writer) async throws(RPCError) in
            if let request = try? ObserveRequest(wire: bytes) {
                requests.append(request)
            }
            try await writer.write(EventBatch(revision: 1, events: [.initialDeliveryEnded]).wireBytes())
        }
        try await ScriptedDaemon.run { daemon in
            try await daemon.serving(methods) {
                var configuration = daemon.configuration
                configuration.collapsesRenewals = collapses
                for try await change in PaymentQueue(configuration).changes where change == .initialDeliveryEnded {
                    break
                }
            }
        }
        #expect(requests.values.map(\.collapsesRenewals) == [collapses])
        #expect(requests.values.map(\.isPassive) == [false])
    }

    /// Otherwise the application would miss revocations and store payments that arrive while another call waits.
    @Test func waitingForAPurchaseOrARestoreIsPassive() async throws {
        let requests = Collector<ObserveRequest>()
        let waiting = Transaction(id: Self.payment.id, revision: 1, state: .deferred, payment: Self.payment)
        let restoreID = UUID.version7()
        var methods = MethodTable()
        methods[PaymentQueueMethod.service, PaymentQueueMethod.observe.rawValue] = .serverStreaming {
            (_, bytes, writer) async throws(RPCError) in
            if let request = try? ObserveRequest(wire: bytes) {
                requests.append(request)
            }
            var declined = waiting
            declined.revision = 2
            declined.state = .failed
            declined.error = PaymentError(.unknown, "No.")
            let events: [QueueEvent] = [.updated(declined), .restoreFinished(id: restoreID, count: 1)]
            try await writer.write(EventBatch(revision: 2, events: events).wireBytes())
        }
        methods.answer { (_: AcknowledgeRequest) in AcknowledgeResponse() }
        methods.answer { (_: AddPaymentRequest) in AddPaymentResponse(transaction: waiting) }
        methods.answer { (_: RestoreCompletedTransactionsRequest) in
            RestoreCompletedTransactionsResponse(
                restoreID: restoreID,
                revision: 1,
                state: .running,
                restoredCount: 0,
                totalCount: 1
            )
        }
        methods.answer { (_: ListTransactionsRequest) in ListTransactionsResponse(transactions: []) }
        try await ScriptedDaemon.run { daemon in
            try await daemon.serving(methods) {
                let queue = PaymentQueue(daemon.configuration)
                let declined = try await queue.purchase(Self.payment)
                #expect(declined.state == .failed)
                let restored = try? await queue.restoreCompletedTransactions()
                #expect(restored == 1)
            }
        }
        #expect(requests.values.map(\.isPassive) == [true, true])
    }
}

/// Records events that the store initiates.
private final class StoreObserver: PaymentTransactionObserver {
    let hasCaughtUp = Gate(isOpen: true)
    private let accepts: Bool
    private let calls: Collector<String>

    init(accepts: Bool, calls: Collector<String>) {
        self.accepts = accepts
        self.calls = calls
    }

    func paymentQueue(_ queue: PaymentQueue, updatedTransactions transactions: [Transaction]) async {}

    func paymentQueue(
        _ queue: PaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String],
        transactions: [Transaction]
    ) async {
        calls.append("revoked \(productIdentifiers.joined(separator: " ")) of \(transactions.count)")
    }

    func paymentQueue(_ queue: PaymentQueue, shouldAddStorePayment payment: Payment) async -> Bool {
        calls.append("asked for \(payment.productID)")
        return accepts
    }

    func paymentQueueDidChangeStorefront(_ queue: PaymentQueue, to storefront: Storefront) async {
        calls.append("storefront \(storefront.countryCode)")
    }

    func paymentQueueInitialDeliveryEnded(_ queue: PaymentQueue) async {
        await hasCaughtUp.pass()
    }
}
