import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addEntitlements(to table: inout SessionMethods) {
        table.unary(PaymentQueueMethod.entitlements) { (session, _, request: EntitlementsRequest) in
            let (page, next) = try await engine.entitlements(
                in: try session.queue(),
                token: request.pageToken ?? 0,
                limit: WireProtocol.pageMaximum
            )
            return EntitlementsResponse(entitlements: page, nextPageToken: next)
        }
        table.unary(PaymentQueueMethod.subscriptions) { (session, _, request: SubscriptionsRequest) in
            let (page, next) = try await engine.subscriptions(
                in: try session.queue(),
                token: request.pageToken ?? 0,
                limit: WireProtocol.pageMaximum
            )
            return SubscriptionsResponse(subscriptions: page, nextPageToken: next)
        }
    }
}
