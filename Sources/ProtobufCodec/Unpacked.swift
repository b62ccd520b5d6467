package import CProtobufC

/// The initializer that protoc-c generates for a message type. It determines the type, its size and its descriptor.
package typealias MessageInitializer<Message> = (UnsafeMutablePointer<Message>?) -> Void

/// A message that protobuf-c has unpacked, with all of its memory.
@safe package struct Unpacked<Message>: ~Copyable {
    private let message: UnsafeMutablePointer<Message>
    private let arena: Arena

    /// Checks and unpacks a message whose memory may reach `budget`.
    package init(
        _ bytes: Span<UInt8>,
        _ initializer: MessageInitializer<Message>,
        budget: Int = DecodingLimits.arenaBytesMaximum
    ) throws(DecodingFailure) {
        try unsafe self.init(bytes, initializer, budget: budget, pool: .decoding)
    }

    init(
        _ bytes: Span<UInt8>,
        _ initializer: MessageInitializer<Message>,
        budget: Int,
        pool: ArenaPool
    ) throws(DecodingFailure) {
        let descriptor = unsafe messageDescriptor(initializer)
        try unsafe Prescan.check(bytes, descriptor)
        let arena = Arena(budget: budget, pool: pool)
        let unpacked = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe protobuf_c_message_unpack(descriptor, arena.allocator, buffer.count, buffer.baseAddress)
        }
        guard let unpacked = unsafe unpacked else {
            throw DecodingFailure(arena.isPoolShort ? .overAllBudget : .overBudget)
        }
        unsafe message = UnsafeMutableRawPointer(unpacked).assumingMemoryBound(to: Message.self)
        self.arena = arena
    }

    /// Passes the fields to `body`; their pointers are valid until it returns.
    package func read<Value, Failure: Error>(
        _ body: (Message) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try unsafe body(message.pointee)
    }
}

extension Unpacked {
    /// Checks and unpacks the message in an array.
    package init(
        _ bytes: [UInt8],
        _ initializer: MessageInitializer<Message>,
        budget: Int = DecodingLimits.arenaBytesMaximum
    ) throws(DecodingFailure) {
        try unsafe self.init(bytes.span, initializer, budget: budget)
    }

    /// Checks and unpacks the message in a buffer, which is not used afterwards.
    package init(
        _ bytes: UnsafeRawBufferPointer,
        _ initializer: MessageInitializer<Message>,
        budget: Int = DecodingLimits.arenaBytesMaximum
    ) throws(DecodingFailure) {
        try unsafe self.init(bytes.bindMemory(to: UInt8.self).span, initializer, budget: budget)
    }
}

/// The descriptor of the message type that an initializer belongs to.
func messageDescriptor<Message>(_ initializer: MessageInitializer<Message>) -> Prescan.Descriptor {
    unsafe withUnsafeTemporaryAllocation(of: Message.self, capacity: 1) { memory in
        unsafe initializer(memory.baseAddress)
        let base = unsafe UnsafeMutableRawBufferPointer(memory).load(as: ProtobufCMessage.self)
        return unsafe base.descriptor
    }
}

extension String {
    /// The text of a field, which the scan has validated.
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
