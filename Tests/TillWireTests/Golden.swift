import TestValues
import TillModel
import TillWire
import Testing

/// A value and the bytes that it must have on the wire, for tables over values of many types.
struct Golden: Sendable, CustomTestStringConvertible {
    /// The message's name in the .proto files.
    var message: String
    var note: String
    var bytes: [UInt8]
    /// Whether the bytes are read as the value.
    var isReadExactly: @Sendable () throws -> Bool
    var written: @Sendable () -> [UInt8]
    /// Reads any bytes, and writes and reads again what came of them: whether both readings are equal.
    var isReadStably: @Sendable ([UInt8]) throws(TillError) -> Bool
    var typeFaults: @Sendable () -> [String]

    var testDescription: String {
        note.isEmpty ? message : "\(message): \(note)"
    }

    init<Value: WireMessage>(note: String = "", as message: String? = nil, _ value: Value, _ hex: String) {
        let bytes = [UInt8](hex: hex)
        self.message = message ?? "\(Value.self)"
        self.note = note
        self.bytes = bytes
        isReadExactly = { try Value(wire: bytes) == value }
        written = { value.wireBytes() }
        isReadStably = { (bytes) throws(TillError) in
            let value = try Value(wire: bytes)
            return try Value(wire: value.wireBytes()) == value
        }
        typeFaults = { Value.typeFaults }
    }
}
