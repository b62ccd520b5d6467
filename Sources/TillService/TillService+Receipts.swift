import TTRPC
import TillEngine
import TillModel
import TillWire

extension TillService {
    func addReceipts(to table: inout MethodTable, _ session: Session) {
        table.streaming(ReceiptsMethod.service, ReceiptsMethod.applicationReceipt.rawValue) {
            (_: ApplicationReceiptRequest, writer) in
            let receipt = Array(try await engine.applicationReceipt(of: try session.queue()).compact.utf8)
            for start in stride(from: 0, to: receipt.count, by: WireProtocol.receiptPartMaximumBytes) {
                let end = min(start + WireProtocol.receiptPartMaximumBytes, receipt.count)
                try await writer.write(ReceiptPart(data: Array(receipt[start..<end])).wireBytes())
            }
        }
        table.unary(ReceiptsMethod.service, ReceiptsMethod.rootCertificate.rawValue) {
            (_, _: RootCertificateRequest) in
            _ = try session.queue()
            return RootCertificateResponse(certificate: try engine.receiptRoot())
        }
    }
}
