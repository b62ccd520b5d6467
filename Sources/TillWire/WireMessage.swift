import ProtobufCodec
package import TillModel

/// A value that travels as a protobuf message.
package protocol WireMessage: Hashable, Sendable {
    /// How the value is written as bytes and read from them.
    static var codec: WireCodec<Self> { get }
}

extension WireMessage {
    /// Reads the value from a message's bytes. The error of malformed bytes is an `invalidArgument` that names the
    /// message and the field.
    package init(wire bytes: [UInt8]) throws(TillError) {
        self = try Self.codec.decode(bytes)
    }

    /// The message's bytes.
    package func wireBytes() -> [UInt8] {
        Self.codec.encode(self)
    }

    /// The faults of the message's type that prevent decoding. A daemon that finds any must not serve.
    package static var typeFaults: [String] {
        Self.codec.typeFaults()
    }
}

/// Both directions between a value and its message's bytes, with the types of C kept inside.
package struct WireCodec<Value: Sendable>: Sendable {
    let decode: @Sendable ([UInt8]) throws(TillError) -> Value
    let encode: @Sendable (Value) -> [UInt8]
    let typeFaults: @Sendable () -> [String]

    init(_ type: Value.Type) where Value: WireFields {
        decode = { (bytes) throws(TillError) in
            do throws(DecodingFailure) {
                return try unsafe Unpacked(bytes, Value.initializer).read { (fields) throws(DecodingFailure) in
                    try Value(fields: fields)
                }
            } catch {
                let code: TillError.Code = error.reason == .overAllBudget ? .resourceExhausted : .invalidArgument
                throw TillError(code, "\(error.inside("\(Value.self)"))")
            }
        }
        encode = { value in
            unsafe Scratch.pack(Value.initializer, value.fill)
        }
        typeFaults = {
            unsafe DescriptorAudit.faults(of: Value.initializer)
        }
    }
}

/// A value that is made from, and fills, a message as protobuf-c has it in memory.
///
/// Conversions are total: any fields give a value or a `DecodingFailure`.
protocol WireFields: SendableMetatype {
    associatedtype Fields

    /// The function of protoc-c that sets a message of this type to its defaults.
    static var initializer: MessageInitializer<Fields> { get }

    /// Reads the fields, whose pointers are valid until the initializer returns.
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

extension Scratch {
    /// The message of a value for a field; nil leaves the field absent.
    func message<Value: WireFields>(_ value: Value?) -> UnsafeMutablePointer<Value.Fields>? {
        guard let value else {
            return nil
        }
        return unsafe message(Value.initializer, value.fill)
    }

    /// The messages of values for a repeated field.
    func messages<Value: WireFields>(
        _ values: [Value]
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value.Fields>?> {
        var pointers: [UnsafeMutablePointer<Value.Fields>?] = unsafe []
        for value in values {
            unsafe pointers.append(message(value))
        }
        return unsafe list(pointers)
    }
}
