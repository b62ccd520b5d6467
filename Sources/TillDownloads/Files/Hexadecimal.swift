enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { UInt8(exactly: Character(Unicode.Scalar($0)).hexDigitValue ?? -1) }
        guard digits.count.isMultiple(of: 2) else {
            return nil
        }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
