import Crypto
import FoundationEssentials
import TillModel
import X509
@testable import TillReceipts

/// A receipt as somebody else would make one, any part of it wrong.
struct Forgery {
    var header: [String: JSON] = ["alg": "ES256"]
    var claims: [String: JSON] = [
        "bundleId": "org.example.notes", "environment": "Sandbox", "transactionId": "1",
        "signedDate": 1_795_276_800_000,
    ]
    /// As they stand in `x5c`; nil for none.
    var certificates: [String]?
    var key: SigningKey
    /// Made from the bytes that are signed, instead of R and S.
    var signature: ((Data) throws -> Data)?

    init(_ certificates: [KeyedCertificate]) throws {
        self.certificates = try certificates.map { Data(try $0.certificate.derBytes).base64EncodedString() }
        key = certificates.first?.key ?? .p256(P256.Signing.PrivateKey())
    }

    func compact() throws -> String {
        var header = header
        header["x5c"] = certificates.map { .array($0.map { .string($0) }) }
        let parts = [
            Base64URL.encode(try JSONEncoder().encode(header)), Base64URL.encode(try JSONEncoder().encode(claims)),
        ]
        let input = Data(parts.joined(separator: ".").utf8)
        let signature =
            switch key {
            case .p256(let key): try key.signature(for: input).rawRepresentation
            case .p384(let key): try key.signature(for: input).rawRepresentation
            }
        return (parts + [Base64URL.encode(try self.signature?(input) ?? signature)]).joined(separator: ".")
    }
}
