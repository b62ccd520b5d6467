import FoundationEssentials
import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addSubscriptionActions(to table: inout SessionMethods) {
        add(.expireSubscription, to: &table) { try await engine.expireSubscription($0, by: $1) }
        add(.renewSubscription, to: &table) { try await engine.renewSubscription($0, by: $1) }
        add(.enableAutoRenew, to: &table) { try await engine.setAutoRenew($0, to: true, by: $1) }
        add(.disableAutoRenew, to: &table) { try await engine.setAutoRenew($0, to: false, by: $1) }
        table.unary(OperatorMethod.requestPriceConsent) { (session, _, request: RequestPriceConsentRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(
                status: try await engine.requestPriceConsent(
                    request.transactionID,
                    amount: request.amount,
                    by: identity
                )
            )
        }
        table.unary(OperatorMethod.answerPriceConsent) { (session, _, request: AnswerPriceConsentRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(
                status: try await engine.answerPriceConsent(request.transactionID, agrees: request.agrees, by: identity)
            )
        }
    }

    private func add(
        _ method: OperatorMethod,
        to table: inout SessionMethods,
        _ action: @escaping @Sendable (UUID, OperatorIdentity) async throws -> SubscriptionStatus
    ) {
        table.unary(method) { (session, _, request: SubscriptionActionRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(status: try await action(request.transactionID, identity))
        }
    }
}
