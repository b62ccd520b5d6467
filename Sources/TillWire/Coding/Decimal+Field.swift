import FoundationEssentials
import ProtobufCodec

extension Decimal {
    /// The longest amount that is read: more digits than a `Decimal` keeps are not an amount.
    static let amountMaximumBytes = 38

    /// The amount in a field, which must be one.
    init(amount: String, _ field: String) throws(DecodingFailure) {
        guard let value = Decimal(amount: amount) else {
            throw DecodingFailure(.mustBe("an amount like 4.99"), at: field)
        }
        self = value
    }

    /// An amount in digits with at most one `.` between them, and nothing else; nil for any other text.
    init?(amount: String) {
        let parts = amount.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard areDigits, parts.count <= 2, amount.utf8.count <= Self.amountMaximumBytes else {
            return nil
        }
        self.init(string: amount)
    }
}
