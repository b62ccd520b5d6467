extension [UInt8] {
    /// Makes bytes from hexadecimal text. Blanks are skipped; each `#` starts a comment up to the end of its line.
    package init(hex text: String) {
        let digits = text.split(separator: "\n")
            .flatMap { $0.prefix { $0 != "#" } }
            .compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
