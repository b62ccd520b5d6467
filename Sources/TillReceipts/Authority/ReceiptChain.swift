import Crypto
import FoundationEssentials
import SwiftASN1
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

    /// Reads PEM with one certificate and at most one private key, which must belong to the certificate.
    init(pem text: String) throws(Fault) {
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(pemString: text)
        } catch {
            throw Fault(reason: "is not PEM")
        }
        let certificates = documents.filter { $0.discriminator == Certificate.defaultPEMDiscriminator }
        guard certificates.count == 1, let certificate = try? certificates.first.map(Certificate.init(pemDocument:))
        else {
            throw Fault(reason: "does not contain exactly one certificate")
        }
        let keys = documents.filter { $0.discriminator.hasSuffix("PRIVATE KEY") }
        guard keys.count <= 1 else {
            throw Fault(reason: "contains more than one private key")
        }
        guard let document = keys.first else {
            self.init(certificate: certificate, key: nil)
            return
        }
        guard let key = try? SigningKey(pem: document.pemString) else {
            throw Fault(reason: "contains a private key that is neither P-256 nor P-384, or that has a passphrase")
        }
        guard key.forCertificates.publicKey == certificate.publicKey else {
            throw Fault(reason: "contains a private key that does not belong to its certificate")
        }
        self.init(certificate: certificate, key: key)
    }

    func pem() throws -> String {
        let documents = [try certificate.serializeAsPEM().pemString] + (key.map { [$0.pem] } ?? [])
        return documents.joined(separator: "\n") + "\n"
    }
}

/// A private key of a chain; printing it does not reveal it.
enum SigningKey: Sendable {
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)

    /// Reads a key in PEM, in PKCS #8 or RFC 5915 format.
    init(pem: String) throws {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            self = .p256(key)
        } else {
            self = .p384(try P384.Signing.PrivateKey(pemRepresentation: pem))
        }
    }

    /// The key in PEM, in PKCS #8 format.
    var pem: String {
        switch self {
        case .p256(let key): key.pemRepresentation
        case .p384(let key): key.pemRepresentation
        }
    }

    var forCertificates: Certificate.PrivateKey {
        switch self {
        case .p256(let key): Certificate.PrivateKey(key)
        case .p384(let key): Certificate.PrivateKey(key)
        }
    }

    /// The key for a leaf, which signs with ES256; nil for another kind of key.
    var p256: P256.Signing.PrivateKey? {
        guard case .p256(let key) = self else {
            return nil
        }
        return key
    }
}

extension SigningKey: Redacted {}
