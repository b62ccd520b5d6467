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
}
