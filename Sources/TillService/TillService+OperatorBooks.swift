import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addBooks(to table: inout SessionMethods) {
        table.unary(OperatorMethod.reconcile) { (session, _, request: ReconcileRequest) in
            try session.checkOperator()
            return try await engine.reconcile(token: request.pageToken ?? 0)
        }
        table.unary(OperatorMethod.audit) { (session, _, request: AuditRequest) in
            try session.checkOperator()
            let limit = request.limit == 0 ? WireProtocol.auditLinksMaximum : request.limit
            return AuditResponse(links: try await engine.audit(after: request.afterSequence, limit: limit))
        }
    }
}
