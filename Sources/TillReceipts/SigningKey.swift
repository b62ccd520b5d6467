import Crypto
import TillSecrets
import X509

/// A private key of a chain; what it prints does not show it.
enum SigningKey: Sendable {
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)

    /// Reads a key in PEM, as PKCS #8 or by RFC 5915.
    init(pem: String) throws {
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            self = .p256(key)
        } else {
            self = .p384(try P384.Signing.PrivateKey(pemRepresentation: pem))
        }
    }

    /// PKCS #8.
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

    /// The key as a leaf's, which signs with ES256.
    var p256: P256.Signing.PrivateKey? {
        guard case .p256(let key) = self else {
            return nil
        }
        return key
    }
}

extension SigningKey: Redacted {}
