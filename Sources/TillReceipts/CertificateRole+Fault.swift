import Crypto
import SwiftASN1
import X509

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
