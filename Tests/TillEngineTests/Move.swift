import FoundationEssentials
import TillEngine
import TillModel
import TillTesting

/// What anybody may try to do with a transaction.
enum Move: String, CaseIterable {
    case finish, cancel, agree, disagree, approve, decline, resolve, reviewCharged, reviewNotCharged, letTimePass
    case providerSucceeds

    private static let user = Approver(uid: 1000, account: "uid:1000", approvesForOthers: false)
    private static let parent = Approver(uid: 1001, account: "uid:1001", approvesForOthers: true)

    func make(_ id: UUID, _ harness: EngineHarness) async throws {
        let engine = harness.engine
        let someone = OperatorIdentity(uid: 0, reason: "a test")
        switch self {
        case .finish: _ = try await engine.finishTransaction(id, in: EngineHarness.notes)
        case .cancel: _ = try await engine.cancelPayment(id, in: EngineHarness.notes)
        case .agree: try await engine.answer(id, kind: .purchase, approves: true, reason: "", by: Self.user)
        case .disagree: try await engine.answer(id, kind: .purchase, approves: false, reason: "", by: Self.user)
        case .approve: try await engine.answer(id, kind: .approval, approves: true, reason: "", by: Self.parent)
        case .decline: try await engine.answer(id, kind: .approval, approves: false, reason: "", by: Self.parent)
        case .resolve: _ = try await engine.resolve(id, review: nil, by: someone)
        case .reviewCharged: _ = try await engine.resolve(id, review: .charged(reference: "ref"), by: someone)
        case .reviewNotCharged: _ = try await engine.resolve(id, review: .notCharged, by: someone)
        case .letTimePass: harness.time.advance(by: 24 * 3600)
        case .providerSucceeds: harness.provider.setReachable(true)
        }
    }
}
