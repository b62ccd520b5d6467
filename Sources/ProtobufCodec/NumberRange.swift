import CProtobufC

/// The numbers that a field's type has among all that a varint can carry.
enum NumberRange {
    /// Refuses what protobuf-c would cut to the type's width, and enumerators that the descriptor does not name.
    static func check(_ value: UInt64, _ field: Prescan.Field) throws(DecodingFailure) {
        let isInRange =
            switch unsafe field.pointee.type {
            case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_ENUM: Int32(exactly: Int64(bitPattern: value)) != nil
            case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_SINT32: UInt32(exactly: value) != nil
            case PROTOBUF_C_TYPE_BOOL: value <= 1
            default: true
            }
        guard isInRange else {
            throw DecodingFailure(.outOfRange)
        }
        if unsafe field.pointee.type == PROTOBUF_C_TYPE_ENUM {
            try unsafe checkEnumerator(Int32(truncatingIfNeeded: value), field)
        }
    }

    private static func checkEnumerator(_ value: Int32, _ field: Prescan.Field) throws(DecodingFailure) {
        let descriptor = unsafe field.pointee.descriptor.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)
        guard unsafe protobuf_c_enum_descriptor_get_value(descriptor, value) != nil else {
            throw DecodingFailure(.unknownEnumValue)
        }
    }
}
