import CProtobufC

/// Fields of text, which the generated C calls bytes so that protobuf-c keeps their length.
///
/// `Proto/generate.sh` marks each with the `deprecated` option, which no public .proto file uses; protoc-c turns it
/// into a flag of the field's descriptor.
enum TextFlag {
    static let mask = PROTOBUF_C_FIELD_FLAG_DEPRECATED.rawValue

    /// Refuses text that is not UTF-8, and NUL in it, at which programs written in C would cut it.
    static func check(_ text: Span<UInt8>) throws(DecodingFailure) {
        guard (try? UTF8Span(validating: text)) != nil else {
            throw DecodingFailure(.invalidUTF8)
        }
        guard unsafe !text.withUnsafeBufferPointer({ unsafe $0.contains(0) }) else {
            throw DecodingFailure(.containsNUL)
        }
    }
}
