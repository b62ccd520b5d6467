import CProtobufC

/// How a field's value lies on the wire; groups, which protobuf-c does not read, are left out.
enum WireType: UInt32 {
    case varint = 0
    case fixed64 = 1
    case delimited = 2
    case fixed32 = 5

    /// The wire type of a single value of a field's type.
    init(of type: ProtobufCType) {
        switch type {
        case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE:
            self = .fixed64
        case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT:
            self = .fixed32
        case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE:
            self = .delimited
        default:
            self = .varint
        }
    }
}
