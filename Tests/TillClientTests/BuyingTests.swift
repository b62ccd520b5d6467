import FoundationEssentials
import TTRPC
import Testing
import TillClient
import TillModel
import TillTesting
import TillWire

/// The client's requests for cancelling, entitlements, restores and renewals, and its results.
@Suite(.timeLimit(.minutes(10))) struct BuyingTests {
    private let id = UUID(high: 1, low: 1)
    private let error = PaymentError(.unknown, "Stopped.", reason: .stopped)

    private var transaction: Transaction {
        Transaction(id: id, revision: 1, state: .failed, payment: Payment(id: id, productID: "pro"), error: error)
    }

    @Test func cancellingAPaymentReturnsItsTransaction() async throws {
        let (id, transaction) = (id, transaction)
        var methods = MethodTable()
        methods.answer { (request: CancelPaymentRequest) async throws(RPCError) in
            try require(request.transactionID == id)
            return CancelPaymentResponse(transaction: transaction)
        }
        try await served(methods) { queue in
            let cancelled = try await queue.cancel(paymentID: id)
            #expect(cancelled == transaction)
        }
    }

    @Test(arguments: [false, true])
    func finishingTakesOlderRenewalsAlongOnlyWhereTheyAreCollapsed(_ collapses: Bool) async throws {
        let asked = Collector<Bool>()
        var methods = MethodTable()
        methods.answer { (request: FinishTransactionRequest) async throws(RPCError) in
            asked.append(request.finishesOlderRenewals)
            return FinishTransactionResponse(revision: 2)
        }
        try await served(methods, { $0.collapsesRenewals = collapses }) { queue in
            try await queue.finish(id: id)
        }
        #expect(asked.values == [collapses])
    }

    @Test func entitlementsAndSubscriptionsAreReadPageByPage() async throws {
        let status = SubscriptionStatus(
            groupID: "g",
            productID: "pro",
            renewalProductID: "pro",
            state: .subscribed,
            expirationDate: Date(timeIntervalSince1970: 60),
            willAutoRenew: true,
            renewalPrice: Price(amount: 5, currency: "USD"),
            originalID: id,
            originalTransactionIdentifier: "1",
            latestID: id
        )
        let entitlement = Entitlement(
            productID: "pro",
            productType: .nonConsumable,
            transactionID: id,
            transactionIdentifier: "1",
            purchaseDate: Date(timeIntervalSince1970: 0)
        )
        var methods = MethodTable()
        methods.answer { (request: EntitlementsRequest) in
            EntitlementsResponse(entitlements: [entitlement], nextPageToken: request.pageToken == nil ? 7 : nil)
        }
        methods.answer { (request: SubscriptionsRequest) in
            SubscriptionsResponse(subscriptions: [status], nextPageToken: request.pageToken == nil ? 7 : nil)
        }
        try await served(methods) { queue in
            var owned: [Entitlement] = []
            for try await item in queue.entitlements { owned.append(item) }
            #expect(owned == [entitlement, entitlement])
            var subscribed: [SubscriptionStatus] = []
            for try await item in queue.subscriptions { subscribed.append(item) }
            #expect(subscribed == [status, status])
        }
    }

    @Test func aRestoreReportsItsProgressAndIsCancelled() async throws {
        let (id, error) = (id, error)
        var methods = MethodTable()
        methods.answer { (request: RestoreCompletedTransactionsRequest) in
            RestoreCompletedTransactionsResponse(
                restoreID: request.restoreID,
                revision: 1,
                state: .running,
                restoredCount: 0,
                totalCount: 3
            )
        }
        methods.answer { (request: RestoreStatusRequest) in
            RestoreCompletedTransactionsResponse(
                restoreID: request.restoreID,
                revision: 1,
                state: .running,
                restoredCount: 2,
                totalCount: 3
            )
        }
        methods.answer { (request: CancelRestoreRequest) in
            RestoreCompletedTransactionsResponse(
                restoreID: request.restoreID,
                revision: 1,
                state: .failed,
                restoredCount: 2,
                totalCount: 3,
                error: error
            )
        }
        try await served(methods) { queue in
            #expect(try await queue.beginRestore(id: id).totalCount == 3)
            let status = try await queue.status(ofRestore: id)
            #expect((status.id, status.restoredCount, status.error) == (id, 2, nil))
            #expect(try await queue.cancelRestore(id).error == error)
        }
    }

    private func served(
        _ methods: MethodTable,
        _ configure: (inout ClientConfiguration) -> Void = { _ in },
        _ body: (PaymentQueue) async throws -> Void
    ) async throws {
        try await ScriptedDaemon.run { daemon in
            var configuration = daemon.configuration
            configure(&configuration)
            let queue = PaymentQueue(configuration)
            try await daemon.serving(methods) { try await body(queue) }
        }
    }
}

/// Fails the call of a client that sends a wrong request.
func require(_ isTrue: Bool) throws(RPCError) {
    guard isTrue else {
        throw RPCError(code: .invalidArgument, message: "The request is not the expected one.")
    }
}
