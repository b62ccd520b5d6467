import FoundationEssentials
import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addSubscriptionActions(to table: inout MethodTable, _ session: Session) {
        add(.expireSubscription, to: &table, session) { try await engine.expireSubscription($0, by: $1) }
        add(.renewSubscription, to: &table, session) { try await engine.renewSubscription($0, by: $1) }
        add(.enableAutoRenew, to: &table, session) { try await engine.setAutoRenew($0, to: true, by: $1) }
        add(.disableAutoRenew, to: &table, session) { try await engine.setAutoRenew($0, to: false, by: $1) }
        table.unary(OperatorMethod.requestPriceConsent) { (_, request: RequestPriceConsentRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(
                status: try await engine.requestPriceConsent(
                    request.transactionID,
                    amount: request.amount,
                    by: identity
                )
            )
        }
        table.unary(OperatorMethod.answerPriceConsent) { (_, request: AnswerPriceConsentRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(
                status: try await engine.answerPriceConsent(request.transactionID, agrees: request.agrees, by: identity)
            )
        }
    }

    private func add(
        _ method: OperatorMethod,
        to table: inout MethodTable,
        _ session: Session,
        _ action: @escaping @Sendable (UUID, OperatorIdentity) async throws -> SubscriptionStatus
    ) {
        table.unary(method) { (_, request: SubscriptionActionRequest) in
            let identity = try session.operatorIdentity(because: request.reason)
            return SubscriptionActionResponse(status: try await action(request.transactionID, identity))
        }
    }
}
