import CProtobufC

/// Looks at every byte of a message before protobuf-c may unpack it, and refuses what protobuf-c would accept wrongly,
/// slowly or at a great cost of memory.
///
/// protobuf-c merges a repeated singular field by copying, keeps every unknown field, cuts numbers to their type's
/// width, and checks neither text nor enumerations. After a scan nothing of that can occur, and the cost of unpacking
/// is bounded by ``DecodingLimits``. The scan itself allocates nothing.
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
