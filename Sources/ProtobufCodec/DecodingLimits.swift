import CProtobufC

/// The limits of decoding a message.
package enum DecodingLimits {
    /// Fields of the message and of all nested messages; each element of a repeated field counts as one.
    package static let fieldsMaximum = 5120
    /// Fields that the descriptors do not know, in the message and in all nested messages.
    package static let unknownFieldsMaximum = 16
    /// Levels of nested messages, including the outermost.
    package static let depthMaximum = 8
    /// Fields that a message type may declare: the bits of the set of fields that the scan has seen.
    package static let declaredFieldsMaximum = UInt64.bitWidth
    /// Memory for the unpacked message.
    package static let arenaBytesMaximum = 1 << 20
    /// Memory for all messages that the process unpacks at the same time, without the first chunk of each.
    package static let arenaBytesInAllMaximum = 16 << 20
}

/// Finds message types that cannot be decoded under ``DecodingLimits``.
///
/// protobuf-c unpacks nested messages by recursion without a limit, so the types themselves must bound the depth.
package enum DescriptorAudit {
    /// One sentence for each fault of the message type and of the types that it reaches; empty for a valid type.
    package static func faults<Message>(of initializer: MessageInitializer<Message>) -> [String] {
        unsafe faults(of: messageDescriptor(initializer), path: [])
    }

    private static func faults(of descriptor: Prescan.Descriptor, path: [Prescan.Descriptor]) -> [String] {
        let path = unsafe path + [descriptor]
        let names = unsafe path.map { unsafe String(cString: $0.pointee.name) }.joined(separator: " > ")
        if unsafe path.dropLast().contains(descriptor) {
            return ["\(names): reaches itself"]
        }
        var faults: [String] = []
        if unsafe path.count > DecodingLimits.depthMaximum {
            faults.append("\(names): deeper than \(DecodingLimits.depthMaximum) messages")
        }
        let fieldCount = unsafe Int(descriptor.pointee.n_fields)
        if fieldCount > DecodingLimits.declaredFieldsMaximum {
            faults.append("\(names): declares more than \(DecodingLimits.declaredFieldsMaximum) fields")
        }
        for index in 0..<fieldCount {
            let field = unsafe descriptor.pointee.fields[index]
            if unsafe field.type == PROTOBUF_C_TYPE_MESSAGE {
                let reached = unsafe field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
                unsafe faults += Self.faults(of: reached, path: path)
            }
        }
        return faults
    }
}
