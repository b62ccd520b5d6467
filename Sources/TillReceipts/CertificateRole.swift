import FoundationEssentials
import SwiftASN1
import X509

/// A place in the chain of a receipt's certificates: who stands there, for how long, and with which extensions.
///
/// The extensions are those without which Apple's libraries refuse the chain; `fault(of:issuedBy:)` checks them.
enum CertificateRole: String, CaseIterable {
    case root
    case intermediate
    case leaf

    private static let day: TimeInterval = 86_400
    /// How long before a certificate is made it is valid, so that clocks may differ.
    static let backdating = day
    private static let authorityLifetime = 36_525 * day
    private static let leafLifetime = 365 * day

    /// When certificates begin to be valid that are backdated to the date. Authorities do from the beginning of the system's
    /// time, so that a machine which loses its clock, and starts there, signs receipts that are accepted all the same.
    func start(at date: Date) -> Date {
        self == .leaf ? date : min(date, Date(timeIntervalSince1970: 0))
    }

    /// How long a certificate is valid from that date on.
    var lifetime: TimeInterval {
        self == .leaf ? Self.leafLifetime : Self.authorityLifetime
    }

    var fileName: String {
        "\(rawValue).pem"
    }

    /// What a service's credential is called (LoadCredential in systemd.exec(5)).
    var credentialName: String {
        "till-receipt-\(rawValue)"
    }

    /// The extension that says what the certificate is for, by Apple's numbers.
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
