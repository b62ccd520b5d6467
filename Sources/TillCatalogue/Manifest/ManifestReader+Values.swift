import TillModel

extension ManifestReader {
    static let versionRule =
        "1 to \(CatalogueLimits.versionNumbers) integers separated by periods such as \"1.2\", "
        + "each of at most \(CatalogueLimits.versionDigits) digits"
    static let lengthRule = "a whole number of bytes from 1 to \(CatalogueLimits.contentBytes)"

    /// The text if it is a valid identifier of a piece. Files are named after it, so it must not be hidden or lead to
    /// another directory.
    static func identifier(_ text: String) -> String? {
        Identifier.isValid(text) && !text.hasPrefix(".") ? text : nil
    }

    /// The text if it is a valid version.
    static func version(_ text: String) -> String? {
        let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isVersion =
            numbers.count <= CatalogueLimits.versionNumbers
            && numbers.allSatisfy { number in
                (1...CatalogueLimits.versionDigits).contains(number.count)
                    && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        return isVersion ? text : nil
    }

    /// The number if it is a valid length of a piece.
    static func length(_ number: Int) -> Int64? {
        let length = Int64(number)
        return (1...CatalogueLimits.contentBytes).contains(length) ? length : nil
    }

    /// The 32 bytes of a SHA-256.
    static func sha256(_ text: String) -> [UInt8]? {
        text.utf8.count == 64 ? [UInt8](hexadecimal: text) : nil
    }
}
