import SwiftASN1
import X509

/// A certificate, with its private key if that is at hand.
struct KeyedCertificate: Sendable {
    let certificate: Certificate
    let key: SigningKey?

    init(certificate: Certificate, key: SigningKey?) {
        self.certificate = certificate
        self.key = key
    }
}

extension KeyedCertificate {
    /// Why a text is not what it should be, as one clause.
    struct Fault: Error {
        var reason: String
    }

    /// Reads PEM with one certificate and at most one private key, which is the certificate's.
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
            throw Fault(reason: "does not hold exactly one certificate")
        }
        let keys = documents.filter { $0.discriminator.hasSuffix("PRIVATE KEY") }
        guard keys.count <= 1 else {
            throw Fault(reason: "holds more than one private key")
        }
        guard let document = keys.first else {
            self.init(certificate: certificate, key: nil)
            return
        }
        guard let key = try? SigningKey(pem: document.pemString) else {
            throw Fault(reason: "holds a private key that is neither P-256 nor P-384, or that has a passphrase")
        }
        guard key.forCertificates.publicKey == certificate.publicKey else {
            throw Fault(reason: "holds a private key that is not its certificate's")
        }
        self.init(certificate: certificate, key: key)
    }

    func pem() throws -> String {
        let documents = [try certificate.serializeAsPEM().pemString] + (key.map { [$0.pem] } ?? [])
        return documents.joined(separator: "\n") + "\n"
    }
}
