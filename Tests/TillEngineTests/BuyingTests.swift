import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillTesting

@Suite struct BuyingTests {
    @Test func aPaymentIsChargedOnceAndPurchased() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins", quantity: 3, applicationUsername: "")
            let added = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(added.state == .purchasing)
            #expect(added.purchase == nil)
            let transaction = try await harness.final(payment.id)
            #expect(transaction.state == .purchased)
            #expect(transaction.payment == payment)
            #expect(transaction.purchase?.transactionDate == harness.time.now())
            #expect(harness.provider.charges == [payment.id: 1])
            let charge = try await harness.ledger.read { try $0.charges(afterKey: 0, limit: 10) }.first
            #expect(charge?.request.amount == 297)
            #expect(charge?.state == .succeeded)
        }
    }

    @Test func theSamePaymentAgainIsTheSameTransaction() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            let final = try await harness.final(payment.id)
            let again = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(again == final)
            #expect(harness.provider.charges == [payment.id: 1])
        }
    }

    @Test func anIdentityBelongsToOnePaymentOfOneQueue() async throws {
        try await EngineHarness().run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            var other = payment
            other.quantity = 2
            await expect(.alreadyExists) { _ = try await harness.engine.addPayment(other, to: EngineHarness.notes) }
            var composed = Payment(productID: "coins", applicationUsername: "caf\u{E9}")
            _ = try await harness.engine.addPayment(composed, to: EngineHarness.notes)
            composed.applicationUsername = "cafe\u{301}"
            await expect(.alreadyExists) { [composed] in
                _ = try await harness.engine.addPayment(composed, to: EngineHarness.notes)
            }
            let elsewhere = QueueName(application: "org.example.notes", account: "uid:1001")
            await expect(.alreadyExists) { _ = try await harness.engine.addPayment(payment, to: elsewhere) }
        }
    }

    @Test(arguments: [UUID(high: 0, low: 0), UUID(high: .max, low: .max)])
    func anIdentityThatEveryoneHasIsRefused(_ id: UUID) async throws {
        let by = OperatorIdentity(uid: 0, reason: "as asked")
        try await EngineHarness().run { harness in
            let payment = Payment(id: id, productID: "coins")
            await expect(.invalidArgument) { _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes) }
            await expect(.invalidArgument) {
                try await harness.engine.promote(payment, to: EngineHarness.notes, by: by)
            }
            await expect(.invalidArgument) { _ = try await harness.restore(id: id) }
            let bought = try await harness.buy("coins")
            let order = RefundOrder(id: id, transactionID: bought.id)
            await expect(.invalidArgument) { _ = try await harness.engine.refund(order, by: by) }
            #expect(harness.provider.charges == [bought.id: 1])
            #expect(harness.provider.refunds.isEmpty)
        }
    }

    @Test func theRefusalOfAnIdentitySaysWhatToDo() {
        let error = #expect(throws: TillError.self) {
            try UUID(high: 0, low: 0).validate(asIdentityOf: "payment")
        }
        let text = "Invalid payment identity 00000000-0000-0000-0000-000000000000: create a new UUID for each payment."
        #expect(error?.message == text)
        for almost in [UUID(high: 0, low: 1), UUID(high: .max, low: .max - 1), UUID(high: 0, low: .max)] {
            #expect(throws: Never.self) { try almost.validate(asIdentityOf: "payment") }
        }
    }

    @Test func twoPaymentsForOneConsumableAreTwoCharges() async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.buy("coins")
            let second = try await harness.buy("coins")
            #expect(first.id != second.id)
            #expect(harness.provider.charges == [first.id: 1, second.id: 1])
        }
    }

    @Test(arguments: ["pro", "monthly"])
    func ownedProductsArePurchasedAgainWithoutACharge(product: String) async throws {
        try await EngineHarness().run { harness in
            let first = try await harness.own(product)
            let second = try await harness.buy(product)
            #expect(second.state == .purchased)
            #expect(second.original?.id == first.id)
            #expect(second.original?.purchase == first.purchase)
            #expect(second.purchase != first.purchase)
            #expect(harness.provider.charges == [first.id: 1])
        }
    }

    @Test func aSecondPaymentWaitsForTheFirstAndIsFreeOnceThatIsOwned() async throws {
        let harness = EngineHarness()
        harness.provider.script("pro", [.timeOutAfter])
        try await harness.run { harness in
            let first = Payment(productID: "pro")
            let second = Payment(productID: "pro")
            _ = try await harness.engine.addPayment(first, to: EngineHarness.notes)
            let waiting = try await harness.engine.addPayment(second, to: EngineHarness.notes)
            #expect(waiting.state == .purchasing)
            try await harness.advance(until: second.id)
            let owned = try await harness.final(second.id)
            #expect(owned.state == .purchased)
            #expect(owned.original?.id == first.id)
            #expect(harness.provider.charges == [first.id: 1])
        }
    }

    @Test func aSecondPaymentIsChargedWhenTheFirstFails() async throws {
        let harness = EngineHarness()
        harness.provider.script("pro", [.timeOutBefore, .decline, .succeed])
        try await harness.run { harness in
            let first = Payment(productID: "pro")
            let second = Payment(productID: "pro")
            _ = try await harness.engine.addPayment(first, to: EngineHarness.notes)
            _ = try await harness.engine.addPayment(second, to: EngineHarness.notes)
            try await harness.advance(until: second.id)
            let value1 = try await harness.final(first.id).state
            #expect(value1 == .failed)
            let value2 = try await harness.final(second.id).state
            #expect(value2 == .purchased)
            #expect(harness.provider.charges == [second.id: 1])
        }
    }

    @Test func aDeclinedPaymentFailsWithTheReason() async throws {
        let harness = EngineHarness()
        harness.provider.script("coins", [.decline])
        try await harness.run { harness in
            let transaction = try await harness.buy("coins")
            #expect(transaction.state == .failed)
            #expect(transaction.error?.providerCode == "card_declined")
            #expect(transaction.error?.moneyMoved == .no)
            #expect(transaction.purchase == nil)
            #expect(harness.provider.charges.isEmpty)
        }
    }

    @Test(arguments: [
        (Payment(productID: ""), "product"),
        (Payment(productID: "a b"), "product"),
        (Payment(productID: String(repeating: "a", count: 129)), "product"),
        (Payment(productID: "coins", quantity: 0), "quantity"),
        (Payment(productID: "coins", quantity: 11), "quantity"),
        (Payment(productID: "coins", applicationUsername: String(repeating: "é", count: 513)), "applicationUsername"),
        (Payment(productID: "coins", requestData: [UInt8](repeating: 0, count: 1025)), "requestData"),
        (Payment(productID: "coins", discount: discount(identifier: "")), "identifiers"),
        (Payment(productID: "coins", discount: discount(keyIdentifier: "a b")), "identifiers"),
        (Payment(productID: "coins", discount: discount(signature: String(repeating: "s", count: 1025))), "signature"),
    ])
    func anInvalidPaymentIsRefused(payment: Payment, named field: String) async throws {
        try await EngineHarness().run { harness in
            let error = await expect(.invalidArgument) {
                _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            }
            #expect(error?.message.contains(field) == true)
            let value3 = try await harness.ledger.read { try $0.transaction(payment.id) }
            #expect(value3 == nil)
        }
    }

    private static func discount(
        identifier: String = "offer",
        keyIdentifier: String = "key",
        signature: String = ""
    ) -> PaymentDiscount {
        PaymentDiscount(
            identifier: identifier,
            keyIdentifier: keyIdentifier,
            nonce: UUID(),
            signature: signature,
            timestamp: Date(timeIntervalSince1970: 0)
        )
    }

    @Test(arguments: [
        (Payment(productID: "nothing"), PaymentError.Code.storeProductNotAvailable),
        (Payment(productID: "coins", requestData: []), .unauthorizedRequestData),
        (Payment(productID: "pro", quantity: 2), .paymentInvalid),
        (Payment(productID: "odd"), .paymentInvalid),
    ])
    func aPaymentThatTheStoreCannotServeFails(payment: Payment, with code: PaymentError.Code) async throws {
        try await EngineHarness().run { harness in
            let transaction = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            #expect(transaction.state == .failed)
            #expect(transaction.error?.code == code)
            #expect(transaction.error?.moneyMoved == .no)
            #expect(harness.provider.calls.isEmpty)
        }
    }

    @Test func anAccountThatMayNotPayGetsPaymentNotAllowed() async throws {
        let harness = EngineHarness { $0.accountsNotAllowedToPay = ["uid:1000"] }
        try await harness.run { harness in
            #expect(!harness.engine.canMakePayments(account: "uid:1000"))
            #expect(harness.engine.canMakePayments(account: "uid:1001"))
            let value4 = try await harness.buy("coins").error?.code
            #expect(value4 == .paymentNotAllowed)
        }
    }

    @Test func freeProductsArePurchasedWithoutTheProvider() async throws {
        try await EngineHarness().run { harness in
            let value5 = try await harness.buy("gift").state
            #expect(value5 == .purchased)
            #expect(harness.provider.calls.isEmpty)
        }
    }
}
