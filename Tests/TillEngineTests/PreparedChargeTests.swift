import FoundationEssentials
import NIOConcurrencyHelpers
import Testing
@testable import TillEngine
import TillMemoryLedger
import TillModel
import TillTesting

/// Charges that are prepared before they are made.
@Suite(.timeLimit(.minutes(5))) struct PreparedChargeTests {
    private static let deadline = Duration.seconds(3600)

    private static func harness(_ provider: PreparingProvider, ledger: any Ledger = MemoryLedger()) -> EngineHarness {
        EngineHarness(ledger: ledger, preparing: provider) { $0.purchasingDeadline = deadline }
    }

    @Test func aChargesNameIsStoredBeforeItIsMade() async throws {
        let provider = PreparingProvider()
        let ledger = MemoryLedger()
        provider.beforeCharges { request, reference in
            let charges = try? await ledger.read { try $0.charges(afterKey: 0, limit: 2) }
            #expect(charges?.map(\.reference) == [reference])
            #expect(charges?.map(\.state) == [.open])
        }
        try await Self.harness(provider, ledger: ledger).run { harness in
            let bought = try await harness.buy("coins")
            #expect(bought.state == .purchased)
            #expect(try await harness.charges().map(\.reference) == ["prepared-0"])
        }
        #expect(provider.calls == ["prepare", "charge prepared-0"])
    }

    struct Loss: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var preparations: [PreparingProvider.Answer] = []
        var charges: [PreparingProvider.Answer] = []
        var state = TransactionState.purchased
        var calls: [String]
    }

    @Test(arguments: [
        Loss(
            testDescription: "the answer to the preparation",
            preparations: [.timeOutAfter],
            calls: ["prepare", "prepare", "charge prepared-1"]
        ),
        Loss(
            testDescription: "the request to prepare",
            preparations: [.timeOutBefore],
            calls: ["prepare", "prepare", "charge prepared-0"]
        ),
        Loss(
            testDescription: "the answer to the charge",
            charges: [.timeOutAfter],
            calls: ["prepare", "charge prepared-0", "query prepared-0"]
        ),
        Loss(
            testDescription: "the request to charge",
            charges: [.timeOutBefore],
            calls: ["prepare", "charge prepared-0", "query prepared-0", "charge prepared-0"]
        ),
        Loss(
            testDescription: "nothing: the preparation was declined",
            preparations: [.decline],
            state: .failed,
            calls: ["prepare"]
        ),
        Loss(
            testDescription: "nothing: the charge was declined",
            charges: [.decline],
            state: .failed,
            calls: ["prepare", "charge prepared-0"]
        ),
        Loss(
            testDescription: "nothing: the provider was busy",
            preparations: [.busy],
            charges: [.busy],
            calls: ["prepare", "prepare", "charge prepared-0", "query prepared-0", "charge prepared-0"]
        ),
    ])
    func whateverIsLostAtMostOneChargeIsMade(_ loss: Loss) async throws {
        let provider = PreparingProvider()
        provider.scriptPreparations(loss.preparations)
        provider.scriptCharges(loss.charges)
        try await Self.harness(provider).run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            #expect(try await harness.final(payment.id).state == loss.state)
        }
        #expect(provider.calls == loss.calls)
        let made = provider.outcomes.values.compactMap(\.self).filter { $0.isSuccess }
        #expect(made.count == (loss.state == .purchased ? 1 : 0))
    }

    @Test func aCallThatFindsTheProviderBusyIsNoAttempt() async throws {
        let provider = PreparingProvider()
        provider.scriptPreparations([.busy])
        try await Self.harness(provider).run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while try await harness.charges().first?.dueAt != harness.time.now().addingTimeInterval(7) {
                try await Task.yieldUnlessCancelled()
            }
            #expect(try await harness.charges().first?.attempts == 0)
        }
    }

    /// Another host of a shared ledger prepares the charge while this one is told that it cannot be prepared. The payer could
    /// still pay for what was prepared.
    @Test func anAnswerBeforeAnotherHostPreparedTheChargeFailsNothing() async throws {
        let provider = PreparingProvider()
        provider.scriptPreparations([.succeed, .decline])
        let ledger = MemoryLedger()
        let hasOther = NIOLockedValueBox(false)
        provider.beforePreparations { request in
            let isFirst = hasOther.withLockedValue { hasOther in
                defer { hasOther = true }
                return !hasOther
            }
            guard isFirst, case .ready(let reference) = await provider.prepare(request, renewing: nil) else {
                return
            }
            _ = try? await ledger.commit { writer in
                for var charge in try writer.charges(afterKey: 0, limit: 1) {
                    charge.reference = reference
                    try writer.update(charge)
                }
            }
        }
        try await Self.harness(provider, ledger: ledger).run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            #expect(try await harness.final(payment.id).state == .purchased)
        }
        #expect(provider.calls == ["prepare", "prepare", "query prepared-0", "charge prepared-0"])
    }

    /// A daemon ended after it had stored the name.
    @Test(arguments: [true, false])
    func theNextDaemonAsksByTheStoredName(isCharged: Bool) async throws {
        let provider = PreparingProvider()
        provider.scriptCharges([isCharged ? .timeOutAfter : .timeOutBefore])
        let ledger = MemoryLedger()
        let time = VirtualTime()
        let payment = Payment(productID: "coins")
        let before = EngineHarness(ledger: ledger, time: time, preparing: provider)
        try await before.run { harness in
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while try await harness.charges().first?.attempts != 1 {
                try await Task.yieldUnlessCancelled()
            }
        }
        let after = EngineHarness(ledger: ledger, time: time, preparing: provider)
        try await after.run { harness in
            try await harness.advance(until: payment.id)
            #expect(try await harness.final(payment.id).state == .purchased)
        }
        let asked = ["prepare", "charge prepared-0", "query prepared-0"]
        #expect(provider.calls == asked + (isCharged ? [] : ["charge prepared-0"]))
    }

    @Test func aPaymentThatCannotBePreparedFailsAfterFiveMinutes() async throws {
        let provider = PreparingProvider()
        provider.setReachable(false)
        try await Self.harness(provider).run { harness in
            let payment = Payment(productID: "coins")
            let begin = harness.time.now()
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            let failed = try await harness.final(payment.id)
            #expect(failed.state == .failed)
            #expect(failed.error?.code == .cloudServiceNetworkConnectionFailed)
            #expect(failed.error?.moneyMoved == .no && failed.error?.retry == .safe)
            #expect(failed.error?.reason == .unreachable)
            #expect((300...400).contains(harness.time.now().timeIntervalSince(begin)))
            #expect(try await harness.charges().map(\.state) == [.declined])
        }
        #expect(Set(provider.calls) == ["prepare"])
    }

    struct Deadline: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isReachable = true
        var isCharged = false
        var state: TransactionState
        var charge: ChargeRecord.State
    }

    /// The provider's answers are lost until the deadline, and then it is reached again or not.
    @Test(arguments: [
        Deadline(testDescription: "was not charged", state: .failed, charge: .declined),
        Deadline(testDescription: "was charged", isCharged: true, state: .purchased, charge: .succeeded),
        Deadline(testDescription: "is not reached", isReachable: false, state: .failed, charge: .needsReview),
    ])
    func aChargeIsWithdrawnAtItsDeadline(_ deadline: Deadline) async throws {
        let provider = PreparingProvider()
        provider.scriptCharges([deadline.isCharged ? .timeOutAfter : .timeOutBefore])
        try await Self.harness(provider).run { harness in
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            while try await harness.charges().first?.attempts != 1 {
                try await Task.yieldUnlessCancelled()
            }
            provider.setReachable(deadline.isReachable)
            harness.time.advance(by: 3600)
            try await harness.advance(until: payment.id)
            #expect(try await harness.final(payment.id).state == deadline.state)
            #expect(try await harness.charges().map(\.state) == [deadline.charge])
        }
        let withdrawal = deadline.isCharged ? [] : ["withdraw prepared-0"]
        #expect(provider.calls == ["prepare", "charge prepared-0", "query prepared-0"] + withdrawal)
    }

    struct Payer: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var hasAgent = false
        var answers: [PreparingProvider.Answer]
        var state = TransactionState.purchased
    }

    @Test(arguments: [
        Payer(testDescription: "pays", answers: [.succeed]),
        Payer(testDescription: "pays, asked by an agent", hasAgent: true, answers: [.succeed]),
        Payer(testDescription: "refuses", answers: [.decline], state: .failed),
        Payer(testDescription: "pays by a transfer that arrives", answers: [.pending, .succeed]),
        Payer(testDescription: "pays by a transfer that fails", answers: [.pending, .decline], state: .failed),
    ])
    func aPurchaseWaitsForItsPayer(_ payer: Payer) async throws {
        let provider = PreparingProvider(asksPayer: true)
        provider.scriptCharges([.payerAction])
        try await Self.harness(provider).run { harness in
            if payer.hasAgent {
                _ = harness.engine.agents.attach(
                    account: EngineHarness.notes.account,
                    wake: AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)).continuation
                )
            }
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            let waiting = try await Self.transaction(payment.id, waitingFor: .payerAction, harness)
            #expect(waiting.state == (payer.hasAgent ? .purchasing : .deferred) && waiting.deadline == nil)
            #expect(try await harness.charges().map(\.attempts) == [0])
            for answer in payer.answers {
                provider.settle("prepared-0", answer)
                if answer == .pending {
                    let later = try await Self.transaction(payment.id, waitingFor: .provider, harness)
                    #expect(later.state == .deferred)
                }
            }
            try await harness.advance(until: payment.id)
            #expect(try await harness.final(payment.id).state == payer.state)
        }
        let asked = provider.calls.drop { $0 != "query prepared-0" }
        #expect(Array(provider.calls.prefix(2)) == ["prepare", "charge prepared-0"])
        #expect(!asked.isEmpty && Set(asked) == ["query prepared-0"])
    }

    /// The transaction once it waits for that; the clock moves second by second.
    private static func transaction(_ id: UUID, waitingFor blocker: Blocker, _ harness: EngineHarness) async throws
        -> TransactionRecord
    {
        while true {
            if let transaction = try await harness.ledger.read({ try $0.transaction(id) }),
                transaction.blocker == blocker
            {
                return transaction
            }
            harness.time.advance(by: 1)
            try await Task.yieldUnlessCancelled()
        }
    }

    @Test func aPayerWhoNeverActsIsWaitedForUntilTheDeadline() async throws {
        let provider = PreparingProvider()
        provider.scriptCharges([.payerAction])
        try await Self.harness(provider).run { harness in
            let payment = Payment(productID: "coins")
            let begin = harness.time.now()
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            try await harness.advance(until: payment.id)
            #expect(try await harness.final(payment.id).state == .failed)
            #expect((3600...3660).contains(harness.time.now().timeIntervalSince(begin)))
            #expect(try await harness.charges().map(\.state) == [.declined])
        }
        #expect(provider.calls.last == "withdraw prepared-0")
        // Every two seconds at first, every fifty at the end.
        #expect((100...400).contains(provider.calls.count), "\(provider.calls.count)")
    }
}

extension ChargeOutcome {
    fileprivate var isSuccess: Bool {
        if case .succeeded = self { true } else { false }
    }
}
