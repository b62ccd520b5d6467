import FoundationEssentials
import Testing
import TillEngine
import TillModel
import TillTesting

/// The whole transition relation: every move in every situation, the illegal ones too.
@Suite(.timeLimit(.minutes(10))) struct TransitionTests {
    /// The result of a move on a transaction: a state, or the error of a move that changes nothing. A move that is not
    /// here is refused with `failedPrecondition`.
    static let legal: [Situation: [Move: String]] = [
        .charging: [.providerSucceeds: "purchased", .letTimePass: "failed outcomeUnknown"],
        // It is charged once the other has failed, and has its own time then.
        .waitingForOther: [.cancel: "failed withdrawn", .providerSucceeds: "purchased"],
        .awaitingConsent: [
            .cancel: "failed withdrawn", .agree: "purchased", .disagree: "failed cancelled",
            .letTimePass: "failed expired",
        ],
        .awaitingApproval: [
            .cancel: "failed withdrawn", .approve: "purchased", .decline: "failed declined",
            .letTimePass: "failed expired",
        ],
        .awaitingResolution: [
            .cancel: "failed withdrawn", .resolve: "purchased", .letTimePass: "failed expired",
        ],
        .purchased: [.finish: "purchased finished"],
        .purchasedFinished: [.finish: "purchased finished"],
        .failed: [.finish: "failed productUnavailable finished"],
        .failedFinished: [.finish: "failed productUnavailable finished"],
        .interrupted: [.finish: "failed interrupted finished", .resolve: "failed interrupted, continued"],
        .needsReview: [
            .finish: "failed outcomeUnknown finished", .reviewCharged: "failed outcomeUnknown, continued",
            .reviewNotCharged: "failed outcomeUnknown",
        ],
        .restored: [.finish: "restored finished"],
        .restoredFinished: [.finish: "restored finished"],
    ]

    @Test(arguments: Situation.allCases, Move.allCases)
    func everyMoveInEverySituation(situation: Situation, move: Move) async throws {
        try await EngineHarness().run { harness in
            let id = try await situation.arrange(harness)
            let before = try await Self.summary(id, harness)
            let expected = Self.legal[situation]?[move]
            let isPassive = move == .letTimePass || move == .providerSucceeds
            if expected != nil || isPassive {
                try await move.make(id, harness)
            } else {
                await expect(.failedPrecondition) { try await move.make(id, harness) }
            }
            let wanted = expected ?? before
            try await Self.settle(harness)
            let after = try await Self.summary(id, harness)
            #expect(after == wanted)
        }
    }

    /// Lets the engine do all due work, after the longest wait between two queries of the provider, and again after
    /// what that has made due.
    private static func settle(_ harness: EngineHarness) async throws {
        for _ in 0..<3 {
            try await harness.engine.settleDue()
            harness.time.advance(by: 61)
        }
        try await harness.engine.settleDue()
    }

    private static func summary(_ id: UUID, _ harness: EngineHarness) async throws -> String {
        try await harness.ledger.read { ledger in
            guard let record = try ledger.transaction(id) else {
                return "gone"
            }
            let all = try ledger.transactions(in: record.queue, changedAfter: 0, limit: 100)
            let continued = all.contains { $0.continues == id } ? ", continued" : ""
            let reason = record.error.map { " \($0.reason)" } ?? ""
            return "\(record.state)\(reason)\(continued)\(record.finishedAt == nil ? "" : " finished")"
        }
    }
}
