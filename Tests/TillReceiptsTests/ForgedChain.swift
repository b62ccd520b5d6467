import FoundationEssentials
import TillCrypto
import TillModel
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
        var leafCurve = Curve.p256
        /// The dates of the certificates, by role.
        var dates: [CertificateRole: Date] = [:]
    }

    var root: KeyedCertificate
    var intermediate: KeyedCertificate
    var leaf: KeyedCertificate

    init(_ plan: Plan = Plan()) throws {
        root = try Self.make(.root, SigningKey(), issuer: nil, plan)
        intermediate = try Self.make(.intermediate, SigningKey(), issuer: root, plan)
        leaf = try Self.make(.leaf, SigningKey(plan.leafCurve), issuer: intermediate, plan)
    }

    var all: [KeyedCertificate] { [leaf, intermediate, root] }

    static func make(
        _ role: CertificateRole,
        _ key: SigningKey,
        issuer: KeyedCertificate?,
        _ plan: Plan = Plan()
    ) throws -> KeyedCertificate {
        let identifier = try key.publicKey.identifier
        let issuerIdentifier = try issuer?.certificate.publicKey.identifier
        let wanted = role.extensions(for: identifier, issuedBy: issuerIdentifier ?? identifier)
        var extensions = wanted.compactMap { wanted -> CertificateExtension? in
            var wanted = wanted
            switch wanted.oid {
            case role.marker where plan.unmarked.contains(role): return nil
            case role.marker: wanted.isCritical = plan.critical.contains(role)
            case CertificateExtension.basicConstraints where plan.powerless.contains(role): return nil
            case CertificateExtension.subjectKeyIdentifier where plan.unidentified.contains(role),
                CertificateExtension.authorityKeyIdentifier where plan.unidentified.contains(role):
                return nil
            case CertificateExtension.basicConstraints where plan.shortPath.contains(role):
                return .authority(pathLength: 0)
            default: break
            }
            return wanted
        }
        if plan.strange.contains(role) {
            extensions.append(CertificateExtension(oid: "1.2.3.4", isCritical: true, value: [0x05, 0x00]))
        }
        let date = plan.dates[role] ?? Samples.date
        let builder = CertificateBuilder(
            subject: role.subject,
            issuer: issuer?.certificate,
            publicKey: key.publicKey,
            notValidBefore: date.addingTimeInterval(-Samples.day),
            notValidAfter: date.addingTimeInterval(10 * Samples.day),
            extensions: extensions
        )
        return KeyedCertificate(certificate: try builder.signed(by: issuer?.key ?? key), key: key)
    }
}

/// A forged receipt, with any part wrong.
struct Forgery {
    var header: [String: JSON] = ["alg": "ES256"]
    var claims: [String: JSON] = [
        "bundleId": "org.example.notes", "environment": "Sandbox", "transactionId": "1",
        "signedDate": 1_795_276_800_000,
    ]
    /// The contents of `x5c`; nil for those of the header, if any.
    var certificates: [String]?
    var key: SigningKey
    /// A function from the signed bytes to a signature that replaces R and S.
    var signature: (([UInt8]) throws -> [UInt8])?

    init(_ certificates: [KeyedCertificate]) throws {
        self.certificates = certificates.map { Data($0.certificate.der).base64EncodedString() }
        key = if let key = certificates.first?.key { key } else { try SigningKey() }
    }

    func compact() throws -> String {
        var header = header
        if let certificates {
            header["x5c"] = .array(certificates.map { .string($0) })
        }
        // Equal headers are equal bytes, as those of one signer are.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let parts = [Base64URL.encode(try encoder.encode(header)), Base64URL.encode(try encoder.encode(claims))]
        let input = Array(parts.joined(separator: ".").utf8)
        let signature = try key.sign(SHA256Digest(of: input)).raw(key.curve) ?? []
        return (parts + [Base64URL.encode(try self.signature?(input) ?? signature)]).joined(separator: ".")
    }
}
