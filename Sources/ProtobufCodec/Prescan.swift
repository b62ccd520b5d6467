import CProtobufC

#if MUTANTS
    import Mutants
#endif

/// Validates every byte of a message before protobuf-c unpacks it, and refuses input that protobuf-c would accept
/// wrongly, slowly or at a great cost of memory.
///
/// protobuf-c merges a repeated singular field by copying, keeps every unknown field, truncates numbers to their type's
/// width, and does not check text or enumerations. After a scan none of that can occur, and the cost of unpacking is
/// bounded by ``DecodingLimits``. The scan itself does not allocate.
struct Prescan {
    typealias Descriptor = UnsafePointer<ProtobufCMessageDescriptor>
    typealias Field = UnsafePointer<ProtobufCFieldDescriptor>

    private var fieldsLeft = DecodingLimits.fieldsMaximum
    private var unknownFieldsLeft = DecodingLimits.unknownFieldsMaximum

    /// Refuses bytes that are not exactly one message of the descriptor's type within the limits.
    static func check(_ bytes: Span<UInt8>, _ descriptor: Descriptor) throws(DecodingFailure) {
        var scan = Prescan()
        try unsafe scan.message(bytes, WireCursor(position: 0, end: bytes.count), descriptor, depth: 1)
    }

    private mutating func message(
        _ bytes: Span<UInt8>,
        _ extent: WireCursor,
        _ descriptor: Descriptor,
        depth: Int
    ) throws(DecodingFailure) {
        guard depth <= DecodingLimits.depthMaximum else {
            throw DecodingFailure(.tooDeep)
        }
        var cursor = extent
        var seen = SeenFields()
        while !cursor.isAtEnd {
            try countField()
            let (number, wireType) = try tag(bytes, &cursor)
            guard let field = unsafe protobuf_c_message_descriptor_get_field(descriptor, number) else {
                try unknownField(bytes, &cursor, number, wireType)
                continue
            }
            do throws(DecodingFailure) {
                try unsafe seen.insert(field, of: descriptor)
                try unsafe value(bytes, &cursor, field, wireType, depth: depth)
            } catch {
                throw unsafe error.inside(String(cString: field.pointee.name))
            }
        }
    }

    private mutating func countField() throws(DecodingFailure) {
        guard fieldsLeft > 0 else {
            throw DecodingFailure(.tooManyFields)
        }
        fieldsLeft -= 1
    }

    private func tag(
        _ bytes: Span<UInt8>,
        _ cursor: inout WireCursor
    ) throws(DecodingFailure) -> (number: UInt32, wireType: WireType) {
        let tag = try cursor.shortVarint(in: bytes)
        guard tag >> 3 > 0 else {
            throw DecodingFailure(.malformedFieldNumber)
        }
        guard let wireType = WireType(rawValue: tag & 7) else {
            throw DecodingFailure(.wrongWireType, at: "#\(tag >> 3)")
        }
        return (tag >> 3, wireType)
    }

    private mutating func unknownField(
        _ bytes: Span<UInt8>,
        _ cursor: inout WireCursor,
        _ number: UInt32,
        _ wireType: WireType
    ) throws(DecodingFailure) {
        guard unknownFieldsLeft > 0 else {
            throw DecodingFailure(.tooManyUnknownFields)
        }
        unknownFieldsLeft -= 1
        do throws(DecodingFailure) {
            switch wireType {
            case .varint: _ = try cursor.varint(in: bytes)
            case .fixed64: try cursor.skip(8)
            case .fixed32: try cursor.skip(4)
            case .delimited: _ = try cursor.delimited(in: bytes)
            }
        } catch {
            throw error.inside("#\(number)")
        }
    }

    private mutating func value(
        _ bytes: Span<UInt8>,
        _ cursor: inout WireCursor,
        _ field: Field,
        _ wireType: WireType,
        depth: Int
    ) throws(DecodingFailure) {
        let expected = unsafe WireType(of: field.pointee.type)
        switch (wireType, expected) {
        case (.delimited, .delimited):
            try unsafe delimited(bytes, cursor.delimited(in: bytes), field, depth: depth)
        case (.delimited, _) where unsafe field.pointee.label == PROTOBUF_C_LABEL_REPEATED:
            try unsafe packed(bytes, cursor.delimited(in: bytes), field, expected)
        case (expected, _):
            try unsafe number(bytes, &cursor, field, expected)
        default:
            throw DecodingFailure(.wrongWireType)
        }
    }

    private mutating func delimited(
        _ bytes: Span<UInt8>,
        _ extent: WireCursor,
        _ field: Field,
        depth: Int
    ) throws(DecodingFailure) {
        if unsafe field.pointee.type == PROTOBUF_C_TYPE_MESSAGE {
            let descriptor = unsafe field.pointee.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
            try unsafe message(bytes, extent, descriptor, depth: depth + 1)
        } else if unsafe field.pointee.flags & TextFlag.mask != 0 {
            try TextFlag.check(bytes.extracting(extent.position..<extent.end))
        }
    }

    /// The numbers of a repeated field, one after the other.
    private mutating func packed(
        _ bytes: Span<UInt8>,
        _ extent: WireCursor,
        _ field: Field,
        _ wireType: WireType
    ) throws(DecodingFailure) {
        var cursor = extent
        while !cursor.isAtEnd {
            try countField()
            try unsafe number(bytes, &cursor, field, wireType)
        }
    }

    private func number(
        _ bytes: Span<UInt8>,
        _ cursor: inout WireCursor,
        _ field: Field,
        _ wireType: WireType
    ) throws(DecodingFailure) {
        switch wireType {
        case .fixed64: try cursor.skip(8)
        case .fixed32: try cursor.skip(4)
        default: try unsafe NumberRange.check(cursor.varint(in: bytes), field)
        }
    }
}

/// The singular fields and oneofs that a message has had so far: one bit for each field of its descriptor.
struct SeenFields {
    private var bits: UInt64 = 0

    /// Refuses a duplicate singular field, and a second member of a oneof.
    mutating func insert(_ field: Prescan.Field, of descriptor: Prescan.Descriptor) throws(DecodingFailure) {
        guard unsafe field.pointee.label != PROTOBUF_C_LABEL_REPEATED else {
            return
        }
        let index = unsafe field - descriptor.pointee.fields
        guard index < DecodingLimits.declaredFieldsMaximum else {
            throw DecodingFailure(.tooManyFields)
        }
        #if MUTANTS
            if Mutant.noDuplicateCheck.isPlanted {
                return
            }
        #endif
        guard bits & (1 << UInt64(index)) == 0 else {
            throw DecodingFailure(.duplicate)
        }
        bits |= 1 << UInt64(index)
        if unsafe field.pointee.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0 {
            unsafe insertOneof(of: field, descriptor)
        }
    }

    /// Marks every member of the field's oneof: the fields that share its case member in the C structure.
    private mutating func insertOneof(of field: Prescan.Field, _ descriptor: Prescan.Descriptor) {
        let count = unsafe min(Int(descriptor.pointee.n_fields), DecodingLimits.declaredFieldsMaximum)
        for index in 0..<count {
            let other = unsafe descriptor.pointee.fields[index]
            let isMember = unsafe other.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0
            if unsafe isMember && other.quantifier_offset == field.pointee.quantifier_offset {
                bits |= 1 << UInt64(index)
            }
        }
    }
}

/// The range of a field's type among the numbers that a varint can carry.
enum NumberRange {
    /// Refuses numbers that protobuf-c would truncate, and enumerators that the descriptor does not name.
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

/// The flag of text fields, which the generated C declares as bytes so that protobuf-c keeps their length.
///
/// `Proto/generate.sh` marks each of them with the `deprecated` option, which no public .proto file uses. protoc-c
/// turns the option into a flag of the field's descriptor.
enum TextFlag {
    static let mask = PROTOBUF_C_FIELD_FLAG_DEPRECATED.rawValue

    /// Refuses text that is not UTF-8, or that contains NUL, at which programs in C would truncate it.
    static func check(_ text: Span<UInt8>) throws(DecodingFailure) {
        guard (try? UTF8Span(validating: text)) != nil else {
            throw DecodingFailure(.invalidUTF8)
        }
        guard unsafe !text.withUnsafeBufferPointer({ unsafe $0.contains(0) }) else {
            throw DecodingFailure(.containsNUL)
        }
    }
}
