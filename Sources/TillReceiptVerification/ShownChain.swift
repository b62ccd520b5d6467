import Crypto
import FoundationEssentials
import JWTKit
import SwiftASN1
import X509

/// The certificates in a receipt: a leaf, an intermediate and a root with the required extensions.
struct ShownChain {
    /// The maximum size of a certificate.
    static let certificateMaximumBytes = 16 * 1024
    private static let count = 3
    /// The extensions, by Apple's identifiers, that mark a certificate for receipts, and one that issues such
    /// certificates.
    private static let markers: [ASN1ObjectIdentifier] = [
        [1, 2, 840, 113635, 100, 6, 11, 1], [1, 2, 840, 113635, 100, 6, 2, 1],
    ]

    let certificates: [Certificate]

    init(_ header: JWTHeader) throws(ReceiptFault) {
        guard let texts = header.x5c else {
            throw .malformed("its header has no x5c, or one that is not all strings")
        }
        guard texts.count == Self.count else {
            throw .chainLength(texts.count)
        }
        var certificates: [Certificate] = []
        for text in texts {
            certificates.append(try Self.certificate(text))
        }
        for (certificate, marker) in zip(certificates, Self.markers) where certificate.extensions[oid: marker] == nil {
            throw .certificate("a certificate lacks the extension \(marker)")
        }
        guard let leaf = certificates.first, P256.Signing.PublicKey(leaf.publicKey) != nil else {
            throw .certificate("the leaf has no P-256 key")
        }
        self.certificates = certificates
    }

    private static func certificate(_ text: String) throws(ReceiptFault) -> Certificate {
        guard let bytes = Data(base64Encoded: text), bytes.base64EncodedString() == text else {
            throw .certificate("a certificate is not base64")
        }
        guard bytes.count <= certificateMaximumBytes else {
            throw .tooLarge(bytes: bytes.count)
        }
        guard let certificate = try? Certificate(derEncoded: Array(bytes)) else {
            throw .certificate("a certificate is not DER")
        }
        return certificate
    }
}
