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
        var position = 0
        try unsafe scan.message(bytes, &position, bytes.count, descriptor, depth: 1)
    }

    private mutating func message(
        _ bytes: Span<UInt8>,
        _ position: inout Int,
        _ end: Int,
        _ descriptor: Descriptor,
        depth: Int
    ) throws(DecodingFailure) {
        guard depth <= DecodingLimits.depthMaximum else {
            throw DecodingFailure(.tooDeep)
        }
        var seen = SeenFields()
        while position < end {
            try countField()
            let (number, wireType) = try tag(bytes, &position, end)
            guard let field = unsafe protobuf_c_message_descriptor_get_field(descriptor, number) else {
                try unknownField(bytes, &position, end, number, wireType)
                continue
            }
            do throws(DecodingFailure) {
                try unsafe seen.insert(field, of: descriptor)
                try unsafe value(bytes, &position, end, field, wireType, depth: depth)
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
        _ position: inout Int,
        _ end: Int
    ) throws(DecodingFailure) -> (number: UInt32, wireType: WireType) {
        let tag = try WireReader.shortVarint(bytes, &position, end)
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
        _ position: inout Int,
        _ end: Int,
        _ number: UInt32,
        _ wireType: WireType
    ) throws(DecodingFailure) {
        guard unknownFieldsLeft > 0 else {
            throw DecodingFailure(.tooManyUnknownFields)
        }
        unknownFieldsLeft -= 1
        do throws(DecodingFailure) {
            switch wireType {
            case .varint: _ = try WireReader.varint(bytes, &position, end)
            case .fixed64: _ = try WireReader.skip(8, &position, end)
            case .fixed32: _ = try WireReader.skip(4, &position, end)
            case .delimited: position = try WireReader.delimited(bytes, &position, end)
            }
        } catch {
            throw error.inside("#\(number)")
        }
    }

    private mutating func value(
        _ bytes: Span<UInt8>,
        _ position: inout Int,
        _ end: Int,
        _ field: Field,
        _ wireType: WireType,
        depth: Int
    ) throws(DecodingFailure) {
        let expected = unsafe WireType(of: field.pointee.type)
        if wireType == expected {
            guard wireType == .delimited else {
                return try unsafe number(bytes, &position, end, field, expected)
            }
            let valueEnd = try WireReader.delimited(bytes, &position, end)
            if unsafe field.pointee.type == PROTOBUF_C_TYPE_MESSAGE {
                return try unsafe subMessage(bytes, &position, valueEnd, field, depth: depth)
            }
            if unsafe field.pointee.flags & TextFlag.mask != 0 {
                try TextFlag.check(bytes.extracting(position..<valueEnd))
            }
            position = valueEnd
        } else if unsafe field.pointee.label == PROTOBUF_C_LABEL_REPEATED, wireType == .delimited {
            try unsafe packed(bytes, &position, end, field, expected)
        } else {
            throw DecodingFailure(.wrongWireType)
        }
    }

    private mutating func subMessage(
        _ bytes: Span<UInt8>,
        _ position: inout Int,
        _ end: Int,
        _ field: Field,
        depth: Int
    ) throws(DecodingFailure) {
        let descriptor = unsafe field.pointee.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
        try unsafe message(bytes, &position, end, descriptor, depth: depth + 1)
    }

    /// Numbers of a repeated field one after the other; an empty list counts as a field as well.
    private mutating func packed(
        _ bytes: Span<UInt8>,
        _ position: inout Int,
        _ end: Int,
        _ field: Field,
        _ wireType: WireType
    ) throws(DecodingFailure) {
        let listEnd = try WireReader.delimited(bytes, &position, end)
        while position < listEnd {
            try countField()
            try unsafe number(bytes, &position, listEnd, field, wireType)
        }
    }

    private func number(
        _ bytes: Span<UInt8>,
        _ position: inout Int,
        _ end: Int,
        _ field: Field,
        _ wireType: WireType
    ) throws(DecodingFailure) {
        switch wireType {
        case .fixed64: _ = try WireReader.skip(8, &position, end)
        case .fixed32: _ = try WireReader.skip(4, &position, end)
        default:
            let value = try WireReader.varint(bytes, &position, end)
            try unsafe NumberRange.check(value, field)
        }
    }
}
