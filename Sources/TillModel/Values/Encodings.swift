/// BASE64URL as RFC 7515 uses it: the alphabet of RFC 4648, section 5, without padding.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        append(Array(bytes).span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the encoding of the bytes to a text in UTF-8. It takes a span, because generic code would run unspecialised
    /// in other modules.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
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
        var bytes: [UInt8] = []
        return append(decoding: Array(text).span, to: &bytes) ? bytes : nil
    }

    /// Appends the bytes that a text in UTF-8 encodes; false, with some of them appended, unless it is their canonical
    /// encoding.
    package static func append(decoding text: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
        var place = bytes.count
        bytes += repeatElement(0, count: byteCount(text.count))
        let values = values.span
        var decoded = bytes.mutableSpan
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for index in text.indices {
            let value = values[Int(text[index])]
            guard value != noValue else {
                return false
            }
            pending = pending << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                decoded[place] = UInt8(truncatingIfNeeded: pending >> bits)
                place += 1
            }
        }
        // Refuse a single trailing letter and non-zero unused bits.
        return bits < 6 && pending & (1 << bits - 1) == 0
    }

    /// The number of bytes that so many letters encode.
    package static func byteCount(_ letterCount: Int) -> Int {
        letterCount / 4 * 3 + letterCount % 4 * 3 / 4
    }

    private static let noValue = UInt8.max
    /// The value of each letter, at its number.
    private static let values: [UInt8] = (UInt8.min...UInt8.max).map { letter in
        alphabet.firstIndex(of: letter).map(UInt8.init) ?? noValue
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
