public import TillModel
import TillWire

extension PaymentQueue {
    /// The application's receipt: all that the account has bought in it, signed now, as a JWS in its compact form.
    ///
    /// There is one also without purchases. Consumables are in it until they are finished. Of more than 10,000 purchases
    /// it holds the newest.
    public func applicationReceipt() async throws(TillError) -> String {
        let receipt = try await connector.withSession { (session, timeout) async throws(TillError) in
            try await session.applicationReceipt(timeout: timeout)
        }
        return String(decoding: receipt, as: UTF8.self)
    }

    /// The certificate, X.509 in DER, that the chains of all receipts of this daemon end in.
    ///
    /// It proves something only to who got it in a way that can be trusted, as from the store's operator.
    public func receiptRootCertificate() async throws(TillError) -> [UInt8] {
        let response: RootCertificateResponse = try await connector.call(
            ReceiptsMethod.service,
            ReceiptsMethod.rootCertificate.rawValue,
            RootCertificateRequest()
        )
        return response.certificate
    }
}
