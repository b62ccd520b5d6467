import FoundationEssentials
import Testing
import TillClient
import TillEngine
import TillModel
import TillTesting

@Suite(.timeLimit(.minutes(10))) struct PurchasingTests {
    @Test func aPurchaseReturnsThePurchasedTransactionWhichStaysUntilItIsFinished() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let payment = Payment(productID: "coins", quantity: 2, applicationUsername: "ann")
                let transaction = try await queue.purchase(payment)
                #expect(transaction.id == payment.id)
                #expect(transaction.state == .purchased)
                #expect(transaction.payment == payment)
                #expect(transaction.purchase != nil)
                #expect(try await queue.transactions.all() == [transaction])
                try await queue.finish(transaction)
                #expect(try await queue.transactions.all() == [])
                #expect(try await queue.allTransactions.all().map(\.isFinished) == [true])
            }
        }
    }

    @Test func aDeclinedPurchaseReturnsTheFailedTransaction() async throws {
        try await DaemonHarness.run { daemon in
            daemon.provider.scripted.script("coins", [.decline])
            try await daemon.serving { _ in
                let transaction = try await daemon.queue().purchase(Payment(productID: "coins"))
                #expect(transaction.state == .failed)
                #expect(transaction.error?.providerCode == "card_declined")
                #expect(transaction.error?.moneyMoved == .no)
                #expect(transaction.purchase == nil)
            }
        }
    }

    @Test func theSamePaymentIsAddedOnceAndItsIdentityServesNoOther() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                let payment = Payment(productID: "coins")
                let bought = try await queue.purchase(payment)
                #expect(try await queue.add(payment) == bought)
                #expect(daemon.provider.scripted.charges == [payment.id: 1])
                var other = payment
                other.quantity = 2
                await expect(.alreadyExists) { try await queue.add(other) }
            }
        }
    }

    @Test func onlyFinalTransactionsCanBeFinishedAndMoreThanOnce() async throws {
        let charges = Gate()
        try await DaemonHarness.run(provider: GatedProvider(charges: charges)) { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                await expect(.notFound) { try await queue.finish(id: .version7()) }
                let added = try await queue.add(Payment(productID: "coins"))
                await expect(.failedPrecondition) { try await queue.finish(added) }
                charges.open()
                let bought = try await queue.purchase(added.payment)
                try await queue.finish(bought)
                try await queue.finish(bought)
            }
        }
    }

    @Test func aPurchaseThatAnObserverFinishesFirstIsReturnedToo() async throws {
        let charges = Gate()
        try await DaemonHarness.run(provider: GatedProvider(charges: charges)) { daemon in
            let queue = daemon.queue()
            let payment = Payment(productID: "coins")
            try await withThrowingTaskGroup(of: Transaction.self) { group in
                group.addTask { try await queue.purchase(payment) }
                try await daemon.serving { _ in await charges.arrival() }
                // The payment is purchased and finished while no observer is connected, so only its removal is
                // delivered.
                charges.open()
                let bought = try await daemon.final(payment.id)
                _ = try await daemon.engine.finishTransaction(payment.id, in: daemon.name)
                let returned = try await daemon.serving { _ in try await group.next() }
                #expect(returned?.state == .purchased)
                #expect(returned?.purchase == bought.purchase)
            }
        }
    }

    @Test func aPurchaseIsRepeatedOnAnotherLedger() async throws {
        let charges = Gate()
        try await DaemonHarness.run(provider: GatedProvider(charges: charges)) { old in
            let queue = old.queue()
            let payment = Payment(productID: "coins")
            try await withThrowingTaskGroup(of: Transaction.self) { group in
                group.addTask { try await queue.purchase(payment) }
                try await old.serving { _ in await charges.arrival() }
                try await DaemonHarness.run(socketPath: old.socketPath) { new in
                    let returned = try await new.serving { _ in try await group.next() }
                    #expect(returned?.state == .purchased)
                    #expect(returned?.id == payment.id)
                }
            }
        }
    }

    @Test func anInvalidPaymentIsRefused() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                await expect(.invalidArgument) { try await queue.add(Payment(productID: "coins", quantity: 11)) }
                await expect(.invalidArgument) { try await queue.add(Payment(productID: "a b")) }
                let all = try await queue.allTransactions.all()
                #expect(all == [])
            }
        }
    }

    @Test func applicationsDoNotSeeEachOthersTransactions() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let bought = try await daemon.queue().purchase(Payment(productID: "pro"))
                let other = daemon.queue(application: "org.example.other")
                #expect(try await other.allTransactions.all() == [])
                await expect(.notFound) { try await other.finish(bought) }
                #expect(try await other.restoreCompletedTransactions() == 0)
            }
        }
    }

    @Test func aLongListComesPageByPageInOrder() async throws {
        try await DaemonHarness.run { daemon in
            try await daemon.serving { _ in
                let queue = daemon.queue()
                var ids: [UUID] = []
                for _ in 0..<(PaymentEngine.pageDefault * 2 + 1) {
                    ids.append(try await queue.add(Payment(productID: "nothing")).id)
                }
                #expect(try await queue.transactions.all().map(\.id) == ids)
            }
        }
    }
}

extension PagedList {
    func all() async throws(TillError) -> [Element] {
        var elements: [Element] = []
        var iterator = makeAsyncIterator()
        while let element = try await iterator.next() {
            elements.append(element)
        }
        return elements
    }
}
