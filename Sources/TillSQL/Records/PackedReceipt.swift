import TillEngine
import TillModel

/// A receipt's body as its row stores it: the signature and the payload as bytes, which take three quarters of their text.
enum PackedReceipt {
    /// What stands where a packed body has the count of its signature's bytes, before a body that is stored as it is.
    private static let unpacked: UInt8 = 0

    /// A body as it is stored: packed, unless that would not give the same text again.
    static func bytes(of body: String) -> [UInt8] {
        let body = Array(body.utf8)
        return packed(body) ?? [unpacked] + body
    }

    private static func packed(_ body: [UInt8]) -> [UInt8]? {
        guard let period = body.firstIndex(of: UInt8(ascii: ".")),
            let length = UInt8(exactly: Base64URL.byteCount(body.count - period - 1)), length != unpacked
        else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + Base64URL.byteCount(body.count))
        bytes.append(length)
        let text = body.span
        guard Base64URL.append(decoding: text.extracting((period + 1)...), to: &bytes),
            Base64URL.append(decoding: text.extracting(..<period), to: &bytes)
        else {
            return nil
        }
        return bytes
    }

    /// The body of these bytes; nil if they are not those of a receipt.
    static func body(of bytes: [UInt8]) -> String? {
        guard let length = bytes.first, bytes.count > Int(length) else {
            return nil
        }
        guard length != unpacked else {
            return String(validating: bytes.dropFirst(), as: UTF8.self)
        }
        let parts = bytes.span
        let signature = parts.extracting(1..<(Int(length) + 1))
        let payload = parts.extracting((Int(length) + 1)...)
        var body: [UInt8] = []
        body.reserveCapacity(Base64URL.paddedCount(payload.count) + 1 + Base64URL.paddedCount(signature.count))
        Base64URL.append(payload, to: &body)
        body.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &body)
        return String(decoding: body, as: UTF8.self)
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

    /// Schemas up to version 12 stored a body as text where it could not be packed.
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
