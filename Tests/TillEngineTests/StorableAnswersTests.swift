import Testing
@testable import TillEngine
import TillMetrics
import TillModel
import TillTesting

/// Answers of a provider with the character U+0000, which not every ledger can keep.
@Suite(.timeLimit(.minutes(1))) struct StorableAnswersTests {
    private static let malformed = "the provider's name for it has the character U+0000"
    private static let error = PaymentError(.unknown, "Declined\u{0}.", providerCode: "c\u{0}")
    private static let repaired = PaymentError(.unknown, "Declined\u{FFFD}.", providerCode: "c\u{FFFD}")

    @Test(arguments: [
        (Preparation.ready(reference: "cs_\u{0}"), Preparation.unknown(reason: malformed)),
        (.ready(reference: "cs_1"), .ready(reference: "cs_1")),
        (.declined(error), .declined(repaired)),
        (.unknown(reason: "no\u{0}answer"), .unknown(reason: "no\u{FFFD}answer")),
        (.busy(.seconds(1)), .busy(.seconds(1))),
    ])
    func aPreparation(_ answer: Preparation, _ stored: Preparation) {
        #expect(answer.storable == stored)
    }

    private static let outcomes: [(ChargeOutcome, ChargeOutcome)] = [
        (.succeeded(reference: "pi_1\u{0}"), .unknown(reason: malformed)),
        (.succeeded(reference: "pi_1"), .succeeded(reference: "pi_1")),
        (.declined(error), .declined(repaired)),
        (.unknown(reason: "\u{0}"), .unknown(reason: "\u{FFFD}")),
        (.busy(.seconds(1)), .busy(.seconds(1))), (.payerAction, .payerAction), (.pending, .pending),
    ]

    @Test(arguments: outcomes)
    func anOutcome(_ answer: ChargeOutcome, _ stored: ChargeOutcome) {
        #expect(answer.storable == stored)
    }

    @Test(arguments: outcomes)
    func aStatus(_ answer: ChargeOutcome, _ stored: ChargeOutcome) {
        var expected = ChargeStatus.settled(stored)
        if case .succeeded(let reference) = answer, reference.containsNUL {
            expected = .unreachable(reason: Self.malformed)
        }
        #expect(ChargeStatus.settled(answer).storable == expected)
    }

    @Test func aStatusWithoutAnOutcome() {
        #expect(ChargeStatus.unreachable(reason: "a\u{0}").storable == .unreachable(reason: "a\u{FFFD}"))
        #expect(ChargeStatus.notFound.storable == .notFound)
        #expect(ChargeStatus.ready.storable == .ready)
    }

    /// The engine stores only answers that came through here.
    @Test func theEngineGetsNoAnswerWithIt() async {
        let scripted = ScriptedProvider()
        scripted.refuseRestores(with: Self.error)
        let provider = BoundedProvider(
            scripted,
            time: VirtualTime(),
            metrics: EngineMetrics(factory: MetricsRegistry())
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await provider.run() }
            let refusal = await provider.authorizeRestore(application: "org.example.notes", account: "uid:1000")
            #expect(refusal == Self.repaired)
            group.cancelAll()
        }
    }
}
