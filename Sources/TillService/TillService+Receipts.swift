import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addReceipts(to table: inout SessionMethods) {
        table.streaming(ReceiptsMethod.service, ReceiptsMethod.applicationReceipt.rawValue) {
            (session, _, _: ApplicationReceiptRequest, writer) in
            let queue = try session.queue()
            let maximum = WireProtocol.receiptPartMaximumBytes
            try await engine.sendApplicationReceipt(of: queue, to: session.user, partMaximum: maximum) { part in
                try await writer.write(ReceiptPart(data: part).wireBytes())
            }
        }
        table.unary(ReceiptsMethod.service, ReceiptsMethod.rootCertificate.rawValue) {
            (session, _, _: RootCertificateRequest) in
            _ = try session.queue()
            return RootCertificateResponse(certificate: try engine.receiptRoot())
        }
    }
}
