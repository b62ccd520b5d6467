import ProtobufCodec

/// A value that is made from, and fills, a message as protobuf-c has it in memory.
///
/// Conversions are total: whatever the fields hold, the result is a value or a `DecodingFailure`.
protocol WireFields: SendableMetatype {
    associatedtype Fields
    /// What protoc-c made to begin a message of this type.
    static var initializer: MessageInitializer<Fields> { get }

    /// Reads the fields, whose pointers are good until the initializer returns.
    init(fields: Fields) throws(DecodingFailure)
    /// Fills a message that has its defaults.
    func fill(_ fields: inout Fields, _ scratch: borrowing Scratch)
}

extension WireFields {
    /// The message in a field that must be there.
    static func required(_ message: UnsafeMutablePointer<Fields>?, _ field: String) throws(DecodingFailure) -> Self {
        guard let value = try unsafe optional(message, field) else {
            throw DecodingFailure(.missing, at: field)
        }
        return value
    }

    /// The message in a field, if it is there.
    static func optional(_ message: UnsafeMutablePointer<Fields>?, _ field: String) throws(DecodingFailure) -> Self? {
        guard let message = unsafe message else {
            return nil
        }
        do throws(DecodingFailure) {
            return try unsafe Self(fields: message.pointee)
        } catch {
            throw error.inside(field)
        }
    }

    /// The messages of a repeated field.
    static func list(
        _ messages: UnsafeMutablePointer<UnsafeMutablePointer<Fields>?>?,
        _ count: Int,
        _ field: String
    ) throws(DecodingFailure) -> [Self] {
        var values: [Self] = []
        for index in 0..<count {
            values.append(try unsafe required(messages?[index], field))
        }
        return values
    }
}
