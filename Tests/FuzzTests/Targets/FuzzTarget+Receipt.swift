import TillCrypto
import TillReceiptVerification

extension FuzzTarget {
    /// A receipt, verified against the root of the only genuine receipt.
    static let receipt = FuzzTarget("receipt") { input in
        guard let verifier = GenuineReceipt.verifier else { return promise(false, "the root is a certificate") }
        let text = String(decoding: input, as: UTF8.self)
        guard (try? verifier.verify(text)) != nil else { return }
        promise(text == GenuineReceipt.compact, "only the genuine receipt passes")
    }

    /// A certificate, also as its own issuer. The same bytes are read as a private key, as a signature, and as text with
    /// several certificates.
    static let certificate = FuzzTarget("certificate") { input in
        if let certificate = try? Certificate(der: input) {
            promise(certificate.der == input, "a certificate's bytes are those that were read")
            _ = certificate.isIssued(by: certificate)
            _ = CertificatePath([certificate, certificate]).fault(at: certificate.notValidBefore)
            _ = try? ReceiptVerifier(rootCertificates: [input])
        }
        if let key = try? SigningKey(der: input), let signature = try? key.sign(SHA256Digest(of: input)) {
            promise(signature.raw(key.curve)?.count == key.curve.fieldBytes * 2, "a signature has R and S")
        }
        let signature = Signature(der: input)
        if let raw = signature.raw() {
            promise(Signature(raw: raw)?.raw() == raw, "R and S are read as they were written")
        }
        for certificate in PEM.certificates(in: input) ?? [] {
            _ = try? Certificate(der: certificate)
        }
    }
}
