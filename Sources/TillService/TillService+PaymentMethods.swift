import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    /// Each is for the account's user, whom an application in a sandbox does not speak for.
    func addPaymentMethods(to table: inout SessionMethods) {
        table.unary { (session, _, _: ListPaymentMethodsRequest) in
            _ = try session.approver()
            return ListPaymentMethodsResponse(
                paymentMethods: try await engine.paymentMethods(in: try session.queue())
            )
        }
        table.unary { (session, _, request: RemovePaymentMethodRequest) in
            let approver = try session.approver()
            guard (1...WireProtocol.paymentMethodIDMaximumBytes).contains(request.paymentMethodID.utf8.count) else {
                throw TillError(
                    .invalidArgument,
                    "A payment method's id has 1 to \(WireProtocol.paymentMethodIDMaximumBytes) bytes."
                )
            }
            try await engine.removePaymentMethod(request.paymentMethodID, in: try session.queue(), by: approver)
            return RemovePaymentMethodResponse()
        }
        table.unary { (session, _, request: PaymentMethodPageRequest) in
            _ = try session.approver()
            return PaymentMethodPageResponse(
                url: try await engine.paymentMethodPage(request.task, in: try session.queue())
            )
        }
    }
}
