import Foundation
@testable import StoreKit
import Testing
import TillClient
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct SubscriptionTests {
    @Test("S-38: a renewal is a new transaction with the first as its original, delivered while the application runs")
    func aRenewalIsANewTransaction() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed(finishes: true)
            queue.add(SKMutablePayment("monthly"))
            await observer.saw("removed monthly")
            let id = try #require(try await store.stored().first?.id)
            try await store.operatorClient.renewSubscription(id, because: "test")
            await observer.saw("removed monthly", times: 2)
            let renewal = try #require(observer.removed.last)
            #expect(renewal.transactionState == .purchased && renewal !== observer.removed.first)
            #expect(renewal.original?.transactionIdentifier == observer.removed.first?.transactionIdentifier)
        }
    }

    @Test("S-39: an upgrade takes effect immediately, a downgrade at the next renewal")
    func upgradesAndDowngrades() async throws {
        try await StoreHarness.run { store in
            let (queue, observer) = store.observed(finishes: true)
            for product in ["silver", "gold", "bronze"] {
                queue.add(SKMutablePayment(product))
                await observer.saw("removed \(product)")
            }
            let client = try #require(queue.connection?.daemonConnection.client)
            var found: [String] = []
            for try await status in client.subscriptions {
                found.append("\(status.productID) \(status.renewalProductID)")
            }
            #expect(found == ["gold bronze"])
        }
    }

    @Test(
        "S-40: an offer with invalid data fails with a specific code",
        arguments: [
            ("unknown", nil, SKError.Code.invalidOfferIdentifier),
            ("winter", PaymentError(.invalidSignature, "No.", reason: .invalidOffer), .invalidSignature),
            ("winter", nil, .ineligibleForOffer),
        ] as [(String, PaymentError?, SKError.Code)]
    )
    func invalidOffersFail(_ offer: String, _ fault: PaymentError?, _ code: SKError.Code) async throws {
        try await StoreHarness.run { store in
            store.catalogue.setSignatureFault(fault)
            let (queue, observer) = store.observed()
            let payment = SKMutablePayment("silver")
            payment.paymentDiscount = SKPaymentDiscount(
                identifier: offer,
                keyIdentifier: "key",
                nonce: UUID(),
                signature: "c2ln",
                timestamp: NSNumber(value: Int64(Date().timeIntervalSince1970 * 1000))
            )
            queue.add(payment)
            await observer.saw("updated silver failed")
            #expect((observer.updated.last?.error as? SKError)?.code == code)
            #expect(observer.updated.last?.payment.paymentDiscount?.identifier == offer)
        }
    }
}
