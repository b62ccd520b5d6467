import Crypto
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

extension CertificateRole {
    /// Returns why a certificate cannot have this role in a chain, as one clause; nil if it can.
    ///
    /// - Parameter issuer: The issuer's certificate; for a root, the certificate itself.
    func fault(of certificate: Certificate, issuedBy issuer: Certificate) -> String? {
        guard certificate.issuer == issuer.subject,
            issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
        else {
            return self == .root ? "is not signed by itself" : "was not issued by the previous certificate"
        }
        return keyFault(of: certificate)
            ?? identifierFault(of: certificate, issuer)
            ?? markerFault(of: certificate)
            ?? criticalFault(of: certificate)
            ?? (self == .leaf ? leafFault(of: certificate) : authorityFault(of: certificate))
    }

    private func keyFault(of certificate: Certificate) -> String? {
        if P256.Signing.PublicKey(certificate.publicKey) != nil {
            nil
        } else if self == .leaf {
            "has no P-256 key"
        } else {
            P384.Signing.PublicKey(certificate.publicKey) == nil ? "has no P-256 or P-384 key" : nil
        }
    }

    private func identifierFault(of certificate: Certificate, _ issuer: Certificate) -> String? {
        let own = try? certificate.extensions.subjectKeyIdentifier
        if self != .leaf, own == nil {
            return "has no subject key identifier"
        }
        guard self != .root else {
            return nil
        }
        let authority = try? certificate.extensions.authorityKeyIdentifier
        let expected = try? issuer.extensions.subjectKeyIdentifier
        return authority?.keyIdentifier == nil || authority?.keyIdentifier != expected?.keyIdentifier
            ? "has no authority key identifier, or one that differs from its issuer's" : nil
    }

    private func markerFault(of certificate: Certificate) -> String? {
        guard let marker else {
            return nil
        }
        return switch certificate.extensions[oid: marker]?.critical {
        case nil: "lacks the extension \(marker)"
        case true?: "has the extension \(marker) as a critical one"
        case false?: nil
        }
    }

    /// A verifier must understand critical extensions, and verifiers understand only these.
    private func criticalFault(of certificate: Certificate) -> String? {
        let known = [ASN1ObjectIdentifier.X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage]
        return certificate.extensions.first { $0.critical && !known.contains($0.oid) }.map {
            "has the critical extension \($0.oid), which verifiers do not know"
        }
    }

    private func leafFault(of certificate: Certificate) -> String? {
        let usage = try? certificate.extensions.keyUsage
        if usage?.digitalSignature == false {
            return "may not sign by its key usage"
        }
        return switch try? certificate.extensions.basicConstraints {
        case nil, .notCertificateAuthority?: nil
        case .isCertificateAuthority?: "is a certificate authority"
        }
    }

    private func authorityFault(of certificate: Certificate) -> String? {
        let constraints = certificate.extensions[oid: .X509ExtensionID.basicConstraints]
        guard constraints?.critical == true,
            case .isCertificateAuthority? = try? certificate.extensions.basicConstraints
        else {
            return "is not a certificate authority by a critical extension"
        }
        if self == .root, case .isCertificateAuthority(maxPathLength: 0)? = try? certificate.extensions.basicConstraints
        {
            return "may not issue an intermediate by its path length"
        }
        let usage = certificate.extensions[oid: .X509ExtensionID.keyUsage]
        guard usage?.critical == true, (try? certificate.extensions.keyUsage)?.keyCertSign == true else {
            return "may not sign certificates by a critical key usage"
        }
        return nil
    }
}
