import Crypto
import FoundationEssentials
import X509

/// The certificate authorities that issue the leaves.
struct ReceiptChain: Sendable {
    let root: KeyedCertificate
    let intermediate: KeyedCertificate

    /// The period in which both are valid; outside it no leaf is accepted.
    var validity: ClosedRange<Date>? {
        let authorities = [root.certificate, intermediate.certificate]
        let start = authorities.map(\.notValidBefore).max() ?? .distantPast
        let end = authorities.map(\.notValidAfter).min() ?? .distantFuture
        return start <= end ? start...end : nil
    }

    var canIssue: Bool {
        intermediate.key != nil
    }

    static func makeRoot(at date: Date) throws -> KeyedCertificate {
        try make(.root, at: date, issuer: nil, end: .distantFuture)
    }

    static func makeIntermediate(at date: Date, root: KeyedCertificate) throws -> KeyedCertificate {
        try make(.intermediate, at: date, issuer: root, end: root.certificate.notValidAfter)
    }

    func makeLeaf(at date: Date) throws -> KeyedCertificate {
        try Self.make(.leaf, at: date, issuer: intermediate, end: validity?.upperBound ?? .distantFuture)
    }

    /// Creates a key with a certificate that is valid at `date` and at most until `end`.
    private static func make(
        _ role: CertificateRole,
        at date: Date,
        issuer: KeyedCertificate?,
        end: Date
    ) throws -> KeyedCertificate {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        let made = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down) - CertificateRole.backdating)
        let issuerIdentifier =
            try issuer?.certificate.extensions.subjectKeyIdentifier ?? SubjectKeyIdentifier(hash: publicKey)
        let subject = try role.subject()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: role.start(at: made),
            notValidAfter: min(made.addingTimeInterval(role.lifetime), end),
            issuer: issuer?.certificate.subject ?? subject,
            subject: subject,
            extensions: role.extensions(for: publicKey, issuedBy: issuerIdentifier),
            issuerPrivateKey: issuer?.key?.forCertificates ?? Certificate.PrivateKey(key)
        )
        return KeyedCertificate(certificate: certificate, key: .p256(key))
    }
}
