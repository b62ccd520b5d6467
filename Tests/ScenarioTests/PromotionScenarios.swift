import Foundation
import ProcessTesting
import Synchronization
import Testing
import TillClient

/// The store offers a promoted purchase to the application.
@Suite(.timeLimit(.minutes(10))) struct PromotionScenarios {
    @Test func aPromotedPaymentIsPurchasedUnderItsIdentityOnceTheApplicationAgrees() async throws {
        try await Shop.open { shop in
            let offer: PromotedLine = try await shop.till("promote", Notes.pro, "--account", Site.account).one()
            // The application starts only after the promotion, and after a crash of the daemon.
            try await shop.daemon.kill()
            try await shop.daemon.start()
            #expect(try await shop.transactions().isEmpty)
            let customer = Customer(accepts: true)
            try await customer.use(shop) {
                try await shop.until("the promoted payment is not purchased") {
                    try await shop.transactions().map(\.state) == ["purchased"]
                }
            }
            #expect(customer.offered == [offer.payment.id])
            #expect(try await shop.transactions().map(\.id) == [offer.payment.id])
            #expect(try shop.record().map(\.id) == [offer.payment.id])
        }
    }

    @Test func aPromotedPaymentThatTheApplicationDeclinesIsNotOfferedAgain() async throws {
        try await Shop.open { shop in
            try await shop.till("promote", Notes.pro, "--account", Site.account)
            let customer = Customer(accepts: false)
            try await customer.use(shop) {
                try await shop.until("the promoted payment is not offered") { !customer.offered.isEmpty }
                try await shop.until("the offer is not acknowledged") {
                    try await shop.callbacks().compactMap(\.payment).isEmpty
                }
            }
            #expect(customer.offered.count == 1)
            #expect(try await shop.transactions().isEmpty)
            #expect(try shop.record().isEmpty)
        }
    }
}

/// An application that decides whether to add an offered payment.
private final class Customer: PaymentTransactionObserver {
    private let accepts: Bool
    private let payments = Mutex<[String]>([])

    init(accepts: Bool) {
        self.accepts = accepts
    }

    /// The identities of the offered payments.
    var offered: [String] {
        payments.withLock { $0 }
    }

    /// Follows the queue while `body` runs.
    func use(_ shop: Shop, _ body: () async throws -> Void) async throws {
        let queue = shop.queue()
        try await withThrowingTaskGroup { group in
            group.addTask { try await queue.deliver(to: self) }
            try await body()
            group.cancelAll()
        }
        await queue.close()
    }

    func paymentQueue(_ queue: PaymentQueue, updatedTransactions transactions: [Transaction]) async {}

    func paymentQueue(_ queue: PaymentQueue, shouldAddStorePayment payment: Payment) async -> Bool {
        payments.withLock { $0.append(payment.id.uuidString.lowercased()) }
        return accepts
    }
}
