package import CProtobufC

/// The memory of a message that is being built, until it is packed.
@safe package struct Scratch: ~Copyable {
    private let arena = Arena(budget: .max, pool: nil)

    /// Fills a message, packs it and frees its memory.
    package static func pack<Message>(
        _ initializer: MessageInitializer<Message>,
        _ fill: (inout Message, borrowing Scratch) -> Void
    ) -> [UInt8] {
        let scratch = Scratch()
        defer { extendLifetime(scratch) }
        let message = unsafe scratch.message(initializer, fill)
        let base = unsafe UnsafeRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self)
        let count = unsafe protobuf_c_message_get_packed_size(base)
        guard count > 0 else {
            // An array without capacity would write to the storage that all empty arrays share.
            return []
        }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
            written = unsafe buffer.baseAddress.map { unsafe protobuf_c_message_pack(base, $0) } ?? 0
        }
    }

    /// A message for a field of another message.
    package func message<Message>(
        _ initializer: MessageInitializer<Message>,
        _ fill: (inout Message, borrowing Scratch) -> Void
    ) -> UnsafeMutablePointer<Message> {
        let message = unsafe memory(of: Message.self, count: 1)
        unsafe initializer(message)
        unsafe fill(&message.pointee, self)
        return unsafe message
    }

    /// The bytes of a field.
    package func bytes(_ bytes: some Collection<UInt8>) -> ProtobufCBinaryData {
        let memory = unsafe memory(of: UInt8.self, count: bytes.count)
        let buffer = unsafe UnsafeMutableBufferPointer(start: memory, count: bytes.count)
        _ = unsafe buffer.initialize(from: bytes)
        return unsafe ProtobufCBinaryData(len: bytes.count, data: memory)
    }

    /// The text of a field.
    package func text(_ text: String) -> ProtobufCBinaryData {
        unsafe bytes(text.utf8)
    }

    /// The texts of a repeated field, whose count is a field of its own.
    package func texts(_ texts: [String]) -> UnsafeMutablePointer<ProtobufCBinaryData> {
        unsafe list(texts.map { unsafe text($0) })
    }

    /// The elements of a repeated field, whose count is a field of its own.
    package func list<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let memory = unsafe memory(of: Element.self, count: elements.count)
        _ = unsafe UnsafeMutableBufferPointer(start: memory, count: elements.count).initialize(from: elements)
        return unsafe memory
    }

    /// Memory for values that need no deinitialization. It has no budget, because only our own messages are packed.
    private func memory<Element>(of type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        guard let memory = unsafe arena.allocate(count * MemoryLayout<Element>.stride) else {
            preconditionFailure("an arena without a budget gave no memory")
        }
        return unsafe memory.bindMemory(to: Element.self, capacity: count)
    }
}
