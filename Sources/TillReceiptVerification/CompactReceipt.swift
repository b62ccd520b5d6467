import FoundationEssentials
import TillCrypto
import TillModel

/// The parts of a receipt before any verification.
struct CompactReceipt {
    /// The maximum length of a receipt: an application's, with some thousands of purchases.
    static let maximumBytes = 16 * 1024 * 1024
    /// The maximum length of a header in BASE64URL.
    static let headerMaximumBytes = 64 * 1024
    /// The length of R and S of P-256.
    private static let signatureBytes = 64
    private static let algorithm = "ES256"

    let header: ReceiptHeader
    /// The header in JSON, as it was signed.
    let headerBytes: [UInt8]
    let claims: ReceiptClaims
    /// The payload as it was signed.
    let payload: [UInt8]
    /// The hash of the text that is signed: header and payload, with the period between them.
    let digest: SHA256Digest
    let signature: Signature

    /// - Parameter chains: The headers in it are not read again.
    init(_ text: String, knowing chains: VerifiedChains) throws(ReceiptFault) {
        let utf8 = text.utf8
        guard utf8.count <= Self.maximumBytes else {
            throw .tooLarge(bytes: utf8.count)
        }
        let parts = utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .malformed("it does not have three parts with periods between them")
        }
        guard parts[0].count <= Self.headerMaximumBytes else {
            throw .tooLarge(bytes: parts[0].count)
        }
        let decoded = parts.compactMap { Base64URL.decode($0) }
        guard decoded.count == 3 else {
            throw .malformed("a part is not BASE64URL")
        }
        headerBytes = decoded[0]
        payload = decoded[1]
        header = if let known = chains[headerBytes] { known.header } else { try Self.read(headerBytes) }
        claims = try Self.read(decoded[1])
        guard header.algorithm == Self.algorithm else {
            throw .algorithm(header.algorithm ?? "none")
        }
        guard !header.isCritical else {
            throw .malformed("its header asks for extensions that receipts do not have")
        }
        guard decoded[2].count == Self.signatureBytes, let signature = Signature(raw: decoded[2]) else {
            throw .malformed("its signature has \(decoded[2].count) bytes where ES256 has \(Self.signatureBytes)")
        }
        self.signature = signature
        digest = SHA256Digest(of: utf8[..<parts[1].endIndex])
    }

    /// Decodes a part. UTF-8 is checked separately because the decoder does not check strings that it skips.
    private static func read<Part: Decodable>(_ bytes: [UInt8]) throws(ReceiptFault) -> Part {
        guard String(validating: bytes, as: UTF8.self) != nil,
            let part = try? JSONDecoder().decode(Part.self, from: Data(bytes))
        else {
            throw .malformed("a part is not JSON as receipts have it")
        }
        return part
    }
}

/// The fields of a receipt's header that a verifier reads (RFC 7515, section 4.1).
struct ReceiptHeader: Decodable {
    /// Nil also for a value that is not a string.
    let algorithm: String?
    /// The certificates, from the leaf to the root; nil also for a value that is not all strings.
    let certificates: [String]?
    /// Whether the header names extensions that a verifier must understand.
    let isCritical: Bool

    private enum CodingKeys: String, CodingKey {
        case alg, crit, x5c
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        algorithm = try? container.decode(String.self, forKey: .alg)
        certificates = try? container.decode([String].self, forKey: .x5c)
        isCritical = container.contains(.crit)
    }
}
