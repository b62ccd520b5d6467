import FoundationEssentials
import TillCrypto

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
    var marker: String? {
        switch self {
        case .root: nil
        case .intermediate: "1.2.840.113635.100.6.2.1"
        case .leaf: "1.2.840.113635.100.6.11.1"
        }
    }

    /// The common name of the certificate.
    var subject: String {
        switch self {
        case .root: "Till Receipt Root"
        case .intermediate: "Till Receipt Intermediate"
        case .leaf: "Till Receipt Signing"
        }
    }

    /// - Parameters:
    ///   - key: The identifier of the certificate's key.
    ///   - issuer: The identifier of the issuer's key.
    func extensions(for key: [UInt8], issuedBy issuer: [UInt8]) -> [CertificateExtension] {
        var all = [CertificateExtension.subjectKeyIdentifier(key)]
        if self != .root {
            all.append(.authorityKeyIdentifier(issuer))
        }
        if self == .leaf {
            all.append(.keyUsage(.digitalSignature))
        } else {
            all.append(.authority(pathLength: self == .root ? nil : 0))
            all.append(.keyUsage([.certificateSigning, .listSigning]))
        }
        if let marker {
            // A NULL in DER.
            all.append(CertificateExtension(oid: marker, isCritical: false, value: [0x05, 0x00]))
        }
        return all
    }
}

extension CertificateRole {
    /// Returns why a certificate cannot have this role in a chain, as one clause; nil if it can.
    ///
    /// - Parameter issuer: The issuer's certificate; for a root, the certificate itself.
    func fault(of certificate: Certificate, issuedBy issuer: Certificate) -> String? {
        guard certificate.isIssued(by: issuer) else {
            return self == .root ? "is not signed by itself" : "was not issued by the previous certificate"
        }
        return keyFault(of: certificate)
            ?? identifierFault(of: certificate, issuer)
            ?? markerFault(of: certificate)
            ?? criticalFault(of: certificate)
            ?? (self == .leaf ? leafFault(of: certificate) : authorityFault(of: certificate))
    }

    private func keyFault(of certificate: Certificate) -> String? {
        switch certificate.publicKey.kind {
        case .p256: nil
        case .p384 where self != .leaf: nil
        default: self == .leaf ? "has no P-256 key" : "has no P-256 or P-384 key"
        }
    }

    private func identifierFault(of certificate: Certificate, _ issuer: Certificate) -> String? {
        if self != .leaf, certificate.subjectKeyIdentifier == nil {
            return "has no subject key identifier"
        }
        guard self != .root else {
            return nil
        }
        let authority = certificate.authorityKeyIdentifier
        return authority == nil || authority != issuer.subjectKeyIdentifier
            ? "has no authority key identifier, or one that differs from its issuer's" : nil
    }

    private func markerFault(of certificate: Certificate) -> String? {
        guard let marker else {
            return nil
        }
        return switch certificate[extension: marker]?.isCritical {
        case nil: "lacks the extension \(marker)"
        case true?: "has the extension \(marker) as a critical one"
        case false?: nil
        }
    }

    /// A verifier must understand critical extensions, and verifiers understand only these.
    private func criticalFault(of certificate: Certificate) -> String? {
        let known = [CertificateExtension.basicConstraints, CertificateExtension.keyUsage]
        return certificate.extensions.first { $0.isCritical && !known.contains($0.oid) }.map {
            "has the critical extension \($0.oid), which verifiers do not know"
        }
    }

    private func leafFault(of certificate: Certificate) -> String? {
        if certificate.keyUsage?.contains(.digitalSignature) == false {
            return "has a key usage that does not allow signatures"
        }
        return certificate.authority == .no ? nil : "is a certificate authority"
    }

    private func authorityFault(of certificate: Certificate) -> String? {
        let constraints = certificate[extension: CertificateExtension.basicConstraints]
        guard constraints?.isCritical == true, certificate.authority != .no else {
            return "has no critical extension that makes it a certificate authority"
        }
        if self == .root, certificate.authority == .yes(pathLength: 0) {
            return "has a path length that does not allow an intermediate"
        }
        let usage = certificate[extension: CertificateExtension.keyUsage]
        guard usage?.isCritical == true, certificate.keyUsage?.contains(.certificateSigning) == true else {
            return "has no critical key usage that allows it to sign certificates"
        }
        return nil
    }
}
