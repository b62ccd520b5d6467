import FoundationEssentials
import Testing
@testable import TillEngine
import TillModel
import TillTesting

/// A provider that does not answer keeps nobody waiting, and is never called twice at once for one charge.
@Suite(.timeLimit(.minutes(1))) struct ProviderCallTests {
    private static let charge = ChargeRequest(
        paymentID: UUID(),
        application: "org.example.notes",
        account: "uid:1000",
        productID: "coins",
        quantity: 1,
        amount: 99,
        currency: "USD"
    )

    @Test func aCallThatIsNotAnsweredInTimeIsAskedAboutAndNotMadeAgain() async throws {
        let gated = GatedProvider(charges: Gate())
        try await EngineHarness(provider: gated.scripted, gated: gated).run { harness in
            defer { gated.charges.open() }
            let payment = Payment(productID: "coins")
            _ = try await harness.engine.addPayment(payment, to: EngineHarness.notes)
            await gated.charges.arrival()
            // The provider knows nothing of it yet, and is asked again and again.
            while gated.scripted.calls.count < 4 {
                harness.callTime.advance(by: 1)
                harness.time.advance(by: 1)
                try await Task.yieldUnlessCancelled()
            }
            #expect(Set(gated.scripted.calls) == ["query"])
            #expect(gated.charges.arrivals == 1)
            gated.charges.open()
            try await harness.advance(until: payment.id)
            let final = try await harness.final(payment.id)
            #expect(final.state == .purchased)
            #expect(gated.scripted.charges == [payment.id: 1])
        }
    }

    @Test func aCallThatBecameTooLateIsNotMade() async {
        let scripted = ScriptedProvider()
        let provider = BoundedProvider(scripted, time: VirtualTime())
        let charge = Self.charge
        let refund = ProviderRefundRequest(
            refundID: UUID(),
            paymentID: charge.paymentID,
            charge: "simulated-1",
            amount: 99,
            currency: "USD"
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await provider.run() }
            let outcomes = [
                await provider.charge(charge, by: "") { true }, await provider.refund(refund) { true },
            ]
            for outcome in outcomes {
                guard case .unknown = outcome else {
                    Issue.record("The provider was called: \(outcome)")
                    continue
                }
            }
            #expect(scripted.calls.isEmpty && scripted.charges.isEmpty)
            #expect(
                await provider.charge(charge, by: "") { false } == .succeeded(reference: "ref-\(charge.paymentID.text)")
            )
            group.cancelAll()
        }
    }

    @Test func questionsAndRestoresAreNotWaitedForEither() async throws {
        let gates = (questions: Gate(), restores: Gate())
        let gated = GatedProvider(questions: gates.questions, restores: gates.restores)
        let time = VirtualTime()
        let provider = BoundedProvider(gated, time: time)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await provider.run() }
            async let status = provider.query(Self.charge, by: "")
            async let error = provider.authorizeRestore(application: "org.example.notes", account: "uid:1000")
            await gates.questions.arrival()
            await gates.restores.arrival()
            let advancing = Task {
                while !Task.isCancelled {
                    time.advance(by: 1)
                    await Task.yield()
                }
            }
            guard case .unreachable = await status else {
                Issue.record("A question was answered that nobody has answered.")
                advancing.cancel()
                gates.questions.open()
                gates.restores.open()
                return group.cancelAll()
            }
            let reason = await error?.reason
            #expect(reason == .unreachable)
            advancing.cancel()
            gates.questions.open()
            gates.restores.open()
            group.cancelAll()
        }
        // No more calls are carried out.
        let status = await provider.query(Self.charge, by: "")
        #expect(status == .unreachable(reason: "the provider did not answer in time"))
    }
}
