import ProtobufCodec

extension RawRepresentable<Int> {
    /// The case that an enumerator of a field stands for.
    init(_ enumerator: UInt32, _ field: String) throws(DecodingFailure) {
        guard let value = Self(rawValue: Int(enumerator)) else {
            throw DecodingFailure(.unknownEnumValue, at: field)
        }
        self = value
    }

    /// The case that an enumerator of a field stands for, or nil for 0, which stands for none.
    static func optional(_ enumerator: UInt32, _ field: String) throws(DecodingFailure) -> Self? {
        enumerator == 0 ? nil : try Self(enumerator, field)
    }

    /// The enumerator of a field; the cases have the values of the .proto files.
    var enumerator: UInt32 {
        UInt32(clamping: rawValue)
    }
}
