/// Writes one JSON object (RFC 8259) whose members are strings, numbers and Booleans, in the order of the calls; nil
/// values are omitted.
///
/// It is used because commits wait for receipts, and `JSONEncoder` takes several times as long.
package struct FlatJSON {
    private static let hexDigits = Array("0123456789abcdef".utf8)
    private static let byteCountUsual = 1024

    private var bytes: [UInt8] = []

    package init() {
        bytes.reserveCapacity(Self.byteCountUsual)
        bytes.append(UInt8(ascii: "{"))
    }

    /// The complete object.
    package var object: [UInt8] {
        bytes + [UInt8(ascii: "}")]
    }

    package mutating func add(_ name: String, _ value: String?) {
        if let value {
            begin(name)
            write(value)
        }
    }

    package mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        if let value {
            begin(name)
            bytes += String(value).utf8
        }
    }

    package mutating func add(_ name: String, _ value: Bool?) {
        if let value {
            begin(name)
            bytes += (value ? "true" : "false").utf8
        }
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 {
            bytes.append(UInt8(ascii: ","))
        }
        write(name)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes += [Self.hexDigits[Int(byte >> 4)], Self.hexDigits[Int(byte & 0xF)]]
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
