import ArgumentParser
import FoundationEssentials

/// An amount of money as an argument: digits, and perhaps a point and more digits.
enum DecimalAmount {
    /// The longest that is read.
    static let charactersMaximum = 20

    static func parse(_ text: String) throws -> Decimal {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        }
        guard areDigits, parts.count <= 2, text.utf8.count <= charactersMaximum, let amount = Decimal(string: text)
        else {
            throw ValidationError("write an amount with a point, for example 5.99")
        }
        return amount
    }
}
