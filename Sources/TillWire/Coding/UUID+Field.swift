import CTillMessages
import FoundationEssentials
import ProtobufCodec
import TillModel

extension UUID {
    /// The identity in a field, which must have its 16 bytes.
    init(_ data: ProtobufCBinaryData, _ field: String) throws(DecodingFailure) {
        guard let uuid = unsafe UUID(bytes: UnsafeBufferPointer(start: data.data, count: data.len)) else {
            throw DecodingFailure(.mustBe("the 16 bytes of a UUID"), at: field)
        }
        self = uuid
    }

    /// The identity in a field that may be empty.
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
