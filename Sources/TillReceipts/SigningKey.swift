import Crypto
import X509

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
