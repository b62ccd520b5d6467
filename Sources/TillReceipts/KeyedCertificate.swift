import SwiftASN1
import X509

/// A certificate, with its private key if available.
struct KeyedCertificate: Sendable {
    let certificate: Certificate
    let key: SigningKey?

    init(certificate: Certificate, key: SigningKey?) {
        self.certificate = certificate
        self.key = key
    }
}

extension KeyedCertificate {
    /// The reason a text is invalid, as one clause.
    struct Fault: Error {
        var reason: String
    }

    /// Reads PEM with one certificate and at most one private key, which must belong to the certificate.
    init(pem text: String) throws(Fault) {
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(pemString: text)
        } catch {
            throw Fault(reason: "is not PEM")
        }
        let certificates = documents.filter { $0.discriminator == Certificate.defaultPEMDiscriminator }
        guard certificates.count == 1, let certificate = try? certificates.first.map(Certificate.init(pemDocument:))
        else {
            throw Fault(reason: "does not contain exactly one certificate")
        }
        let keys = documents.filter { $0.discriminator.hasSuffix("PRIVATE KEY") }
        guard keys.count <= 1 else {
            throw Fault(reason: "contains more than one private key")
        }
        guard let document = keys.first else {
            self.init(certificate: certificate, key: nil)
            return
        }
        guard let key = try? SigningKey(pem: document.pemString) else {
            throw Fault(reason: "contains a private key that is neither P-256 nor P-384, or that has a passphrase")
        }
        guard key.forCertificates.publicKey == certificate.publicKey else {
            throw Fault(reason: "contains a private key that does not belong to its certificate")
        }
        self.init(certificate: certificate, key: key)
    }

    func pem() throws -> String {
        let documents = [try certificate.serializeAsPEM().pemString] + (key.map { [$0.pem] } ?? [])
        return documents.joined(separator: "\n") + "\n"
    }
}
