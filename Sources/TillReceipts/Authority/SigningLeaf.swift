import FoundationEssentials
import TillCrypto
import TillEngine
import TillModel

/// A signing leaf: its key and the JWS header of its receipts.
struct SigningLeaf: Sendable {
    private static let signatureByteCount = Curve.p256.fieldBytes * 2

    /// BASE64URL(header), with the chain.
    let header: String
    let validity: ClosedRange<Date>
    private let key: SigningKey
    /// The SHA-256 state after the header and the following period.
    private let hash: SHA256Hasher

    /// Nil if the certificate has no available P-256 key or is never valid.
    init?(_ leaf: KeyedCertificate, chain: ReceiptChain) throws {
        let certificate = leaf.certificate
        guard let key = leaf.key, key.curve == .p256, certificate.notValidBefore <= certificate.notValidAfter else {
            return nil
        }
        self.key = key
        validity = certificate.notValidBefore...certificate.notValidAfter
        let certificates = [certificate, chain.intermediate.certificate, chain.root.certificate]
        let header = Header(x5c: certificates.map { Data($0.der).base64EncodedString() })
        self.header = Base64URL.encode(try ReceiptJSON.encode(header))
        var hash = SHA256Hasher()
        hash.update("\(self.header).".utf8)
        self.hash = hash
    }

    func sign(_ payload: [UInt8]) throws -> SignedReceipt {
        var body: [UInt8] = []
        body.reserveCapacity(Base64URL.paddedCount(payload.count) + 1 + Base64URL.paddedCount(Self.signatureByteCount))
        Base64URL.append(payload.span, to: &body)
        var hash = self.hash
        hash.update(body)
        guard let signature = try key.sign(hash.digest).raw() else {
            throw TillError(.internal, "The receipt's signature is not a signature of P-256.")
        }
        body.append(UInt8(ascii: "."))
        Base64URL.append(signature.span, to: &body)
        return SignedReceipt(header: header, body: String(decoding: body, as: UTF8.self))
    }

    private struct Header: Encodable {
        var alg = "ES256"
        var x5c: [String]
    }
}

/// The available leaves. A receipt is signed by a leaf that is valid at the receipt's date.
///
/// The dates come from adjustable clocks, possibly of several stores in one process, so they may decrease. A leaf is
/// replaced some time before it expires, unless its authorities expire as early.
struct LeafCase: Sendable {
    /// The maximum number of leaves; the oldest is evicted first.
    static let maximum = 16
    /// How long before its expiration a leaf is replaced.
    static let renewalMargin: TimeInterval = 30 * 86_400

    private(set) var newest: SigningLeaf
    private var older: [SigningLeaf] = []
    /// Whether it was already logged that no leaf is valid.
    var hasWarned = false

    init(_ leaf: SigningLeaf) {
        newest = leaf
    }

    /// The newest leaf that does not need to be replaced at the date.
    func fresh(at date: Date, chainEnd: Date) -> SigningLeaf? {
        leaf { leaf in
            let end = leaf.validity.upperBound
            return leaf.validity.contains(date)
                && (end >= chainEnd || date < end.addingTimeInterval(-Self.renewalMargin))
        }
    }

    /// The newest leaf that is valid at the date.
    func valid(at date: Date) -> SigningLeaf? {
        leaf { $0.validity.contains(date) }
    }

    mutating func add(_ leaf: SigningLeaf) {
        older.append(newest)
        older.removeFirst(max(0, older.count + 1 - Self.maximum))
        newest = leaf
    }

    private func leaf(where isWanted: (SigningLeaf) -> Bool) -> SigningLeaf? {
        isWanted(newest) ? newest : older.last(where: isWanted)
    }
}
