import FoundationEssentials
import SwiftASN1
import X509

/// A role in the certificate chain of a receipt, with its name, validity and extensions.
///
/// The extensions are those that Apple's libraries require; `fault(of:issuedBy:)` checks them.
enum CertificateRole: String, CaseIterable {
    case root
    case intermediate
    case leaf

    private static let day: TimeInterval = 86_400
    /// How long before its creation a certificate becomes valid, to tolerate clock differences.
    static let backdating = day
    private static let authorityLifetime = 36_525 * day
    private static let leafLifetime = 365 * day

    /// The start of validity for a backdated date. Authorities are valid from 1970, so that a machine whose clock was
    /// reset to that time still signs receipts that are accepted.
    func start(at date: Date) -> Date {
        self == .leaf ? date : min(date, Date(timeIntervalSince1970: 0))
    }

    /// The validity period of a certificate from its creation.
    var lifetime: TimeInterval {
        self == .leaf ? Self.leafLifetime : Self.authorityLifetime
    }

    var fileName: String {
        "\(rawValue).pem"
    }

    /// The name of the service's credential (LoadCredential in systemd.exec(5)).
    var credentialName: String {
        "till-receipt-\(rawValue)"
    }

    /// Apple's extension that marks the purpose of the certificate.
    var marker: ASN1ObjectIdentifier? {
        switch self {
        case .root: nil
        case .intermediate: [1, 2, 840, 113635, 100, 6, 2, 1]
        case .leaf: [1, 2, 840, 113635, 100, 6, 11, 1]
        }
    }

    func subject() throws -> DistinguishedName {
        let name =
            switch self {
            case .root: "Till Receipt Root"
            case .intermediate: "Till Receipt Intermediate"
            case .leaf: "Till Receipt Signing"
            }
        return try DistinguishedName { CommonName(name) }
    }

    func extensions(
        for key: Certificate.PublicKey,
        issuedBy issuer: SubjectKeyIdentifier
    ) throws -> Certificate.Extensions {
        var all = [try Certificate.Extension(SubjectKeyIdentifier(hash: key), critical: false)]
        if self != .root {
            let authority = AuthorityKeyIdentifier(keyIdentifier: issuer.keyIdentifier)
            all.append(try Certificate.Extension(authority, critical: false))
        }
        if self == .leaf {
            all.append(try Certificate.Extension(KeyUsage(digitalSignature: true), critical: true))
        } else {
            let constraints = BasicConstraints.isCertificateAuthority(maxPathLength: self == .root ? nil : 0)
            all.append(try Certificate.Extension(constraints, critical: true))
            all.append(try Certificate.Extension(KeyUsage(keyCertSign: true, cRLSign: true), critical: true))
        }
        if let marker {
            // A NULL in DER.
            all.append(Certificate.Extension(oid: marker, critical: false, value: [0x05, 0x00]))
        }
        return try Certificate.Extensions(all)
    }
}
