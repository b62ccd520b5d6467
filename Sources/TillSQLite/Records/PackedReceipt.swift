import TillEngine
import TillModel

/// A receipt's body as its row stores it: the signature and the payload as bytes, which take three quarters of their text.
enum PackedReceipt {
    /// The bytes of a body, or the body itself where they would not give the same text again.
    static func value(of body: String) -> SQLValue {
        let parts = body.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let payload = Base64URL.decode(parts[0]), let signature = Base64URL.decode(parts[1]),
            let length = UInt8(exactly: signature.count)
        else {
            return .text(body)
        }
        return .bytes([length] + signature + payload)
    }

    /// The body of these bytes; nil if they are not those of a receipt.
    static func body(of bytes: [UInt8]) -> String? {
        guard let length = bytes.first, bytes.count > Int(length) else {
            return nil
        }
        let payload = bytes.dropFirst(Int(length) + 1)
        let signature = bytes.dropFirst().prefix(Int(length))
        return "\(Base64URL.encode(payload)).\(Base64URL.encode(signature))"
    }
}

extension Columns {
    /// Reads the key of a receipt's header, and the receipt's body.
    ///
    /// - Parameter header: Gives the header with a key, or nil for a key that no header has.
    mutating func receiptIfPresent(header: (Int64) throws -> String?) throws -> SignedReceipt? {
        guard let key = try integerIfPresent() else {
            guard isNull else {
                throw unreadable()
            }
            skip(1)
            return nil
        }
        guard let header = try header(key) else {
            throw unreadable()
        }
        return SignedReceipt(header: header, body: try receiptBody())
    }

    private mutating func receiptBody() throws -> String {
        guard isBytes else {
            return try text()
        }
        guard let body = PackedReceipt.body(of: try bytes()) else {
            throw unreadable()
        }
        return body
    }
}
