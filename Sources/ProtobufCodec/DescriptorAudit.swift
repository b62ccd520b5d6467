import CProtobufC

/// What makes a message type unfit to be decoded under ``DecodingLimits``.
///
/// protobuf-c unpacks a message in a message by recursion without a limit, so the types themselves must bound it.
package enum DescriptorAudit {
    /// One sentence for each fault of the message type and of the types that it reaches; none for a fit type.
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
