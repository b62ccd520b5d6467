import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addRestores(to table: inout SessionMethods) {
        table.unary(PaymentQueueMethod.restoreCompletedTransactions) {
            (session, _, request: RestoreCompletedTransactionsRequest) in
            let status = try await engine.restoreCompletedTransactions(
                request.restoreID,
                applicationUsername: request.applicationUsername,
                in: try session.queue()
            )
            return RestoreCompletedTransactionsResponse(status)
        }
        table.unary(PaymentQueueMethod.restoreStatus) { (session, _, request: RestoreStatusRequest) in
            let queue = try session.queue()
            return RestoreCompletedTransactionsResponse(try await engine.restoreStatus(request.restoreID, in: queue))
        }
        table.unary(PaymentQueueMethod.cancelRestore) { (session, _, request: CancelRestoreRequest) in
            let queue = try session.queue()
            return RestoreCompletedTransactionsResponse(try await engine.cancelRestore(request.restoreID, in: queue))
        }
    }
}

extension RestoreCompletedTransactionsResponse {
    fileprivate init(_ status: RestoreStatus) {
        self.init(
            restoreID: status.id,
            revision: status.revision,
            state: status.state,
            restoredCount: status.count,
            totalCount: status.total,
            error: status.error
        )
    }
}
