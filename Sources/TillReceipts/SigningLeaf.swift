import Crypto
import FoundationEssentials
import SwiftASN1
import TillEngine
import TillModel
import X509

/// A signing leaf: its key and the JWS header of its receipts.
struct SigningLeaf: Sendable {
    /// BASE64URL(header), with the chain.
    let header: String
    let validity: ClosedRange<Date>
    private let key: P256.Signing.PrivateKey
    /// The SHA-256 state after the header and the following period.
    private let hash: SHA256

    /// Nil if the certificate has no available P-256 key or is never valid.
    init?(_ leaf: KeyedCertificate, chain: ReceiptChain) throws {
        let certificate = leaf.certificate
        guard let key = leaf.key?.p256, certificate.notValidBefore <= certificate.notValidAfter else {
            return nil
        }
        self.key = key
        validity = certificate.notValidBefore...certificate.notValidAfter
        let certificates = [certificate, chain.intermediate.certificate, chain.root.certificate]
        let header = Header(x5c: try certificates.map { Data(try $0.derBytes).base64EncodedString() })
        self.header = Base64URL.encode(try ReceiptJSON.encode(header))
        var hash = SHA256()
        hash.update(data: Data("\(self.header).".utf8))
        self.hash = hash
    }

    func sign(_ payload: [UInt8]) throws -> SignedReceipt {
        let text = Base64URL.encode(payload)
        var hash = self.hash
        hash.update(data: Array(text.utf8))
        let signature = try key.signature(for: hash.finalize())
        return SignedReceipt(header: header, body: "\(text).\(Base64URL.encode(signature.rawRepresentation))")
    }

    private struct Header: Encodable {
        var alg = "ES256"
        var x5c: [String]
    }
}

extension Certificate {
    var derBytes: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
