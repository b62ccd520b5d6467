import Crypto
import FoundationEssentials
import SwiftASN1
import X509
@testable import TillReceipts

/// A chain whose certificates may lack what they must have.
struct ForgedChain {
    struct Plan {
        /// The places whose marker is left out.
        var unmarked: Set<CertificateRole> = []
        /// The places whose marker is critical.
        var critical: Set<CertificateRole> = []
        /// The roles that are not certificate authorities although they should be.
        var powerless: Set<CertificateRole> = []
        /// The places without identifiers of keys.
        var unidentified: Set<CertificateRole> = []
        /// The places with an extension besides, which is critical.
        var strange: Set<CertificateRole> = []
        /// The places that may issue leaves only.
        var shortPath: Set<CertificateRole> = []
        var leafKey = SigningKey.p256(P256.Signing.PrivateKey())
        /// The date of the certificates, by their places.
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
