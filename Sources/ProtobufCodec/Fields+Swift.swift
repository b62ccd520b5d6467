package import CProtobufC

extension String {
    /// The text of a field, which the scan has checked.
    package init(field: ProtobufCBinaryData) {
        self = unsafe String(decoding: UnsafeBufferPointer(start: field.data, count: field.len), as: UTF8.self)
    }
}

extension [UInt8] {
    /// A copy of a field's bytes.
    package init(field: ProtobufCBinaryData) {
        self = unsafe Array(UnsafeBufferPointer(start: field.data, count: field.len))
    }
}
