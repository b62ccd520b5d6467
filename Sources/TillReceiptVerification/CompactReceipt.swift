import FoundationEssentials
import JWTKit
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

    let header: JWTHeader
    let claims: ReceiptClaims
    /// The payload as it was signed.
    let payload: [UInt8]

    init(_ text: String) throws(ReceiptFault) {
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
        payload = decoded[1]
        do {
            (header, claims, _) = try DefaultJWTParser().parse(Array(utf8), as: ReceiptClaims.self)
        } catch {
            throw .malformed("a part is not JSON as receipts have it")
        }
        guard header.alg == Self.algorithm else {
            throw .algorithm(header.alg ?? "none")
        }
        guard header.fields["crit"] == nil else {
            throw .malformed("its header asks for extensions that receipts do not have")
        }
        guard decoded[2].count == Self.signatureBytes else {
            throw .malformed("its signature has \(decoded[2].count) bytes where ES256 has \(Self.signatureBytes)")
        }
    }
}
