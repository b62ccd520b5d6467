/// BASE64URL as RFC 7515 uses it: the alphabet of RFC 4648, section 5, without padding.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        append(Array(bytes), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the encoding of the bytes to a text in UTF-8. It takes an array, because generic code would run
    /// unspecialised in other modules.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        var place = text.count
        text += repeatElement(0, count: paddedCount(bytes.count))
        let alphabet = alphabet.span
        var letters = text.mutableSpan
        func byte(_ index: Int) -> UInt32 {
            index < bytes.count ? UInt32(bytes[index]) : 0
        }
        for index in stride(from: 0, to: bytes.count, by: 3) {
            let group = byte(index) << 16 | byte(index + 1) << 8 | byte(index + 2)
            letters[place] = alphabet[Int(group >> 18)]
            letters[place + 1] = alphabet[Int(group >> 12 & 0x3F)]
            letters[place + 2] = alphabet[Int(group >> 6 & 0x3F)]
            letters[place + 3] = alphabet[Int(group & 0x3F)]
            place += 4
        }
        let padding = (3 - bytes.count % 3) % 3
        text.removeLast(padding)
    }

    /// The number of letters that ``append(_:to:)`` needs space for.
    package static func paddedCount(_ byteCount: Int) -> Int {
        (byteCount + 2) / 3 * 4
    }

    /// Decodes a text; nil unless it is the canonical encoding of its bytes.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        decode(Array(text))
    }

    // Works on an array for the same reason.
    private static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for letter in text {
            guard let value = value(letter) else {
                return nil
            }
            pending = pending << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        // Refuse a single trailing letter and non-zero unused bits.
        guard bits < 6, pending & (1 << bits - 1) == 0 else {
            return nil
        }
        return bytes
    }

    private static func value(_ letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal, two digits per byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension [UInt8] {
    /// The bytes of a text of two hexadecimal digits per byte, in either case; nil for any other text.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else {
            return nil
        }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
