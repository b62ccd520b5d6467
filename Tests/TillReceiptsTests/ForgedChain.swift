import Crypto
import FoundationEssentials
import SwiftASN1
import TillModel
import X509
@testable import TillReceipts

/// A chain whose certificates may lack required properties.
struct ForgedChain {
    struct Plan {
        /// The roles without their marker.
        var unmarked: Set<CertificateRole> = []
        /// The roles whose marker is critical.
        var critical: Set<CertificateRole> = []
        /// The roles that are not certificate authorities although they should be.
        var powerless: Set<CertificateRole> = []
        /// The roles without key identifiers.
        var unidentified: Set<CertificateRole> = []
        /// The roles with an additional critical extension.
        var strange: Set<CertificateRole> = []
        /// The roles that may only issue leaves.
        var shortPath: Set<CertificateRole> = []
        var leafKey = SigningKey.p256(P256.Signing.PrivateKey())
        /// The dates of the certificates, by role.
        var dates: [CertificateRole: Date] = [:]
    }

    var root: KeyedCertificate
    var intermediate: KeyedCertificate
    var leaf: KeyedCertificate

    init(_ plan: Plan = Plan()) throws {
        let authority = SigningKey.p256(P256.Signing.PrivateKey())
        root = try Self.make(.root, .p256(P256.Signing.PrivateKey()), issuer: nil, plan)
        intermediate = try Self.make(.intermediate, authority, issuer: root, plan)
        leaf = try Self.make(.leaf, plan.leafKey, issuer: intermediate, plan)
    }

    var all: [KeyedCertificate] { [leaf, intermediate, root] }

    static func make(
        _ role: CertificateRole,
        _ key: SigningKey,
        issuer: KeyedCertificate?,
        _ plan: Plan = Plan()
    ) throws -> KeyedCertificate {
        let publicKey = key.forCertificates.publicKey
        let identifier = SubjectKeyIdentifier(hash: issuer?.certificate.publicKey ?? publicKey)
        let wanted = try role.extensions(for: publicKey, issuedBy: identifier)
        var extensions = wanted.compactMap { wanted -> Certificate.Extension? in
            var wanted = wanted
            switch wanted.oid {
            case role.marker where plan.unmarked.contains(role): return nil
            case role.marker: wanted.critical = plan.critical.contains(role)
            case .X509ExtensionID.basicConstraints where plan.powerless.contains(role): return nil
            case .X509ExtensionID.subjectKeyIdentifier where plan.unidentified.contains(role),
                .X509ExtensionID.authorityKeyIdentifier where plan.unidentified.contains(role):
                return nil
            case .X509ExtensionID.basicConstraints where plan.shortPath.contains(role):
                let short = BasicConstraints.isCertificateAuthority(maxPathLength: 0)
                return try? Certificate.Extension(short, critical: true)
            default: break
            }
            return wanted
        }
        if plan.strange.contains(role) {
            extensions.append(Certificate.Extension(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00]))
        }
        let date = plan.dates[role] ?? Samples.date
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: date.addingTimeInterval(-Samples.day),
            notValidAfter: date.addingTimeInterval(10 * Samples.day),
            issuer: issuer?.certificate.subject ?? role.subject(),
            subject: role.subject(),
            extensions: try Certificate.Extensions(extensions),
            issuerPrivateKey: (issuer?.key ?? key).forCertificates
        )
        return KeyedCertificate(certificate: certificate, key: key)
    }
}

/// A forged receipt, with any part wrong.
struct Forgery {
    var header: [String: JSON] = ["alg": "ES256"]
    var claims: [String: JSON] = [
        "bundleId": "org.example.notes", "environment": "Sandbox", "transactionId": "1",
        "signedDate": 1_795_276_800_000,
    ]
    /// The contents of `x5c`; nil for none.
    var certificates: [String]?
    var key: SigningKey
    /// A function from the signed bytes to a signature that replaces R and S.
    var signature: ((Data) throws -> Data)?

    init(_ certificates: [KeyedCertificate]) throws {
        self.certificates = try certificates.map { Data(try $0.certificate.derBytes).base64EncodedString() }
        key = certificates.first?.key ?? .p256(P256.Signing.PrivateKey())
    }

    func compact() throws -> String {
        var header = header
        header["x5c"] = certificates.map { .array($0.map { .string($0) }) }
        let parts = [
            Base64URL.encode(try JSONEncoder().encode(header)), Base64URL.encode(try JSONEncoder().encode(claims)),
        ]
        let input = Data(parts.joined(separator: ".").utf8)
        let signature =
            switch key {
            case .p256(let key): try key.signature(for: input).rawRepresentation
            case .p384(let key): try key.signature(for: input).rawRepresentation
            }
        return (parts + [Base64URL.encode(try self.signature?(input) ?? signature)]).joined(separator: ".")
    }
}
