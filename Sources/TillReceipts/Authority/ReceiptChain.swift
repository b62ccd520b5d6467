import FoundationEssentials
import TillCrypto

/// The certificate authorities that issue the leaves.
struct ReceiptChain: Sendable {
    let root: KeyedCertificate
    let intermediate: KeyedCertificate

    /// The period in which both are valid; outside it no leaf is accepted.
    let validity: ClosedRange<Date>?

    init(root: KeyedCertificate, intermediate: KeyedCertificate) {
        self.root = root
        self.intermediate = intermediate
        let authorities = [root.certificate, intermediate.certificate]
        let start = authorities.map(\.notValidBefore).max() ?? .distantPast
        let end = authorities.map(\.notValidAfter).min() ?? .distantFuture
        validity = start <= end ? start...end : nil
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
        let key = try SigningKey()
        let made = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down) - CertificateRole.backdating)
        let identifier = try key.publicKey.identifier
        let builder = CertificateBuilder(
            subject: role.subject,
            issuer: issuer?.certificate,
            publicKey: key.publicKey,
            notValidBefore: role.start(at: made),
            notValidAfter: min(made.addingTimeInterval(role.lifetime), end),
            extensions: role.extensions(
                for: identifier,
                issuedBy: issuer?.certificate.subjectKeyIdentifier ?? identifier
            )
        )
        return KeyedCertificate(certificate: try builder.signed(by: issuer?.key ?? key), key: key)
    }
}

/// A certificate, with its private key if available.
struct KeyedCertificate: Sendable {
    let certificate: Certificate
    let key: SigningKey?

    init(certificate: Certificate, key: SigningKey?) {
        self.certificate = certificate
        self.key = key
    }
}

extension KeyedCertificate {
    /// The reason a text is invalid, as one clause.
    struct Fault: Error {
        var reason: String
    }

    /// Reads PEM with one certificate and at most one private key, which must belong to the certificate. The key is in
    /// PKCS #8 or RFC 5915 format.
    init(pem text: String) throws(Fault) {
        guard let documents = PEM.documents(in: text), documents.allSatisfy({ $0.bytes != nil }) else {
            throw Fault(reason: "is not PEM")
        }
        let certificates = documents.filter { $0.label == PEM.Document.certificate }.compactMap(\.bytes)
        guard certificates.count == 1, let certificate = try? certificates.first.map(Certificate.init(der:)) else {
            throw Fault(reason: "does not contain exactly one certificate")
        }
        let keys = documents.filter { $0.label.hasSuffix(PEM.Document.privateKey) }.compactMap(\.bytes)
        guard keys.count <= 1 else {
            throw Fault(reason: "contains more than one private key")
        }
        guard let der = keys.first else {
            self.init(certificate: certificate, key: nil)
            return
        }
        guard let key = try? SigningKey(der: der) else {
            throw Fault(reason: "contains a private key that is neither P-256 nor P-384, or that has a passphrase")
        }
        guard key.publicKey == certificate.publicKey else {
            throw Fault(reason: "contains a private key that does not belong to its certificate")
        }
        self.init(certificate: certificate, key: key)
    }

    func pem() throws(CryptoFailure) -> String {
        let certificate = PEM.encode(certificate.der)
        let key = try key?.der
        let lines = certificate + (key.map { PEM.encode($0, as: PEM.Document.privateKey) } ?? [])
        return lines.joined(separator: "\n") + "\n"
    }
}
