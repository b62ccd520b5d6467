import CTillMessages
import FoundationEssentials
import ProtobufCodec
import TillModel

extension Bool {
    /// protobuf-c's boolean.
    init(field: Int32) {
        self = field != 0
    }

    /// The value for a field.
    var field: Int32 {
        self ? 1 : 0
    }
}

extension Double {
    /// The number in a field, which must be finite: no other number equals itself when it is read again.
    init(finite value: Double, _ field: String) throws(DecodingFailure) {
        guard value.isFinite else {
            throw DecodingFailure(.mustBe("a finite number"), at: field)
        }
        self = value
    }
}

extension RawRepresentable<Int> {
    /// The case of an enumerator in a field.
    init(_ enumerator: UInt32, _ field: String) throws(DecodingFailure) {
        guard let value = Self(rawValue: Int(enumerator)) else {
            throw DecodingFailure(.unknownEnumValue, at: field)
        }
        self = value
    }

    /// The case of an enumerator in a field, or nil for 0.
    static func optional(_ enumerator: UInt32, _ field: String) throws(DecodingFailure) -> Self? {
        enumerator == 0 ? nil : try Self(enumerator, field)
    }

    /// The enumerator of a field; the cases have the values of the .proto files.
    var enumerator: UInt32 {
        UInt32(clamping: rawValue)
    }
}

extension String {
    /// The text of a field, or nil if it is empty.
    static func optional(_ data: ProtobufCBinaryData) -> String? {
        let text = unsafe String(field: data)
        return text.isEmpty ? nil : text
    }
}

extension [String] {
    /// The texts of a repeated field.
    init(_ data: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int) {
        self = unsafe UnsafeBufferPointer(start: data, count: count).map { unsafe String(field: $0) }
    }
}

extension UUID {
    /// The identity in a field, which must have its 16 bytes.
    init(_ data: ProtobufCBinaryData, _ field: String) throws(DecodingFailure) {
        guard let uuid = unsafe UUID(bytes: UnsafeBufferPointer(start: data.data, count: data.len)) else {
            throw DecodingFailure(.mustBe("the 16 bytes of a UUID"), at: field)
        }
        self = uuid
    }

    /// The identity in a field, or nil if it is empty.
    static func optional(_ data: ProtobufCBinaryData, _ field: String) throws(DecodingFailure) -> UUID? {
        try unsafe data.len == 0 ? nil : UUID(data, field)
    }
}

extension [UUID] {
    /// The identities of a repeated field.
    init(
        _ data: UnsafeMutablePointer<ProtobufCBinaryData>?,
        _ count: Int,
        _ field: String
    ) throws(DecodingFailure) {
        self = try unsafe UnsafeBufferPointer(start: data, count: count).map { (data) throws(DecodingFailure) in
            try unsafe UUID(data, field)
        }
    }
}

extension Scratch {
    /// The identities of a repeated field.
    func identities(_ values: [UUID]) -> UnsafeMutablePointer<ProtobufCBinaryData> {
        unsafe list(values.map { unsafe bytes($0.bytes) })
    }
}

extension Decimal {
    /// The longest amount that is read; a `Decimal` keeps no more digits.
    static let amountMaximumBytes = 38

    /// The amount in a field.
    static func amount(_ data: ProtobufCBinaryData, _ field: String) throws(DecodingFailure) -> Decimal {
        guard let value = unsafe Decimal(amount: String(field: data)) else {
            throw DecodingFailure(.mustBe("an amount like 4.99"), at: field)
        }
        return value
    }

    /// The amount in a field, or nil if it is empty.
    static func optional(_ data: ProtobufCBinaryData, _ field: String) throws(DecodingFailure) -> Decimal? {
        try unsafe data.len == 0 ? nil : amount(data, field)
    }

    /// An amount in digits with at most one `.` between them; nil for any other text.
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

extension Date {
    init(milliseconds: Int64) {
        self.init(millisecondsSince1970: milliseconds)
    }

    /// Milliseconds since 1970 for a field, rounded, and clamped to `Int64`.
    var milliseconds: Int64 {
        millisecondsSince1970
    }
}

extension Duration {
    init(milliseconds: Int64) {
        self = .milliseconds(milliseconds)
    }

    /// Whole milliseconds for a field, clamped to `Int64`.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumOverflow) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        guard !overflow, !sumOverflow else {
            return seconds < 0 ? .min : .max
        }
        return sum
    }
}
